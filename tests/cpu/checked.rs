//! Runs that are compared node by node, and measured.

use graph_runtime::prelude::*;
use graph_runtime::{Checked, Error};
use tests::kernels::basic;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], count: &mut [u32; 1]) {
        let t: [f32; n] = 1.0;
        'scale: basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out y, 2.0, n as u32);
        'turns: while count[0] > 0 limit 8 {
            'add: basic::sum_of_two<<<n.div_ceil(64), 64>>>(&t, &y, &out x, n as u32);
            'back: copy(&x, &out y);
            'down: count[0] -= 1;
        }
        'last: kernel for i in 0..n { x[i] = y[i] + 0.5; }
    }
}

#[test]
fn on_the_cpu_every_node_agrees_with_itself() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.buffer_from(&[1.5_f32; 100])?, device.zeros::<f32>(100)?);
    let mut count = device.buffer_from(&[3_u32])?;
    let mut graph = StepsArgs { x: &mut x, y: &mut y, count: &mut count }.build(&device)?;
    // `fill t`, `scale`, the three of the body, `last`.
    assert_eq!(graph.run_checked()?, Checked { compared: 6, skipped: Vec::new() });
    assert_eq!(graph.x().to_vec()?, [6.5; 100]);
    assert_eq!(graph.iterations(Steps::TURNS)?, 3);
    Ok(())
}

#[test]
fn transients_are_looked_for_where_the_arena_has_moved_to() -> Result<()> {
    let device = Device::cpu();
    let arena = device.arena();
    let steps = |length: usize| -> Result<_> {
        let (x, y) = (device.buffer_from(&vec![1.5_f32; length])?, device.zeros::<f32>(length)?);
        StepsArgs { x, y, count: device.buffer_from(&[1_u32])? }.build_in(&arena, &device)
    };
    let mut small = steps(10)?;
    let mut large = steps(10_000)?;
    assert_eq!(small.run_checked()?.compared, 6);
    assert_eq!(large.run_checked()?.compared, 6);
    Ok(())
}

#[test]
fn each_node_and_each_pass_is_measured() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.buffer_from(&[1.5_f32; 100])?, device.zeros::<f32>(100)?);
    let mut count = device.buffer_from(&[3_u32])?;
    let mut graph = StepsArgs { x: &mut x, y: &mut y, count: &mut count }.build(&device)?;
    let profile = graph.profile()?;
    assert_eq!(graph.x().to_vec()?, [6.5; 100]);
    let runs: Vec<_> = profile.nodes().iter().map(|node| (node.name.label.as_str(), node.kind, node.runs)).collect();
    let expected = [
        ("fill t", "fill", 1),
        ("scale", "kernel", 1),
        ("turns", "while", 4),
        ("add", "kernel", 3),
        ("back", "copy", 3),
        ("down", "scalar", 3),
        ("last", "kernel for", 1),
    ];
    assert_eq!(runs, expected);
    let [turns] = profile.loops() else { panic!("one loop expected: {profile:?}") };
    assert_eq!((turns.name.label.as_str(), turns.passes.len()), ("turns", 3));
    // A pass is the body and the test behind it; the first test is in none.
    let inside: std::time::Duration = profile.nodes()[2..6].iter().map(|node| node.total).sum();
    assert!(turns.passes.iter().sum::<std::time::Duration>() <= inside);
    let trace: serde_json::Value = serde_json::from_str(&profile.to_chrome_trace()).unwrap();
    let named = |name: &str| {
        let events = trace["traceEvents"].as_array().unwrap().iter();
        events.filter(|event| event["name"] == name && event["ph"] == "X").count()
    };
    assert_eq!((named("add"), named("turns, pass 2"), named("turns, pass 3")), (3, 1, 0));
    let text = profile.to_string();
    assert!(text.contains("add (kernel, ") && text.contains("ran 3 passes"), "{text}");
    Ok(())
}

cuda_graph! {
    graph Looked(x: &[f32; n], y: &mut [f32; n]) {
        'pick: kernel for i in 0..n { y[i] = x[(i * 7) % n]; }
        assert!(y[0] >= 0.0, "negative");
    }
}

#[test]
fn a_run_that_fails_says_so() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[-1.0_f32; 10])?;
    let mut y = device.zeros::<f32>(10)?;
    let mut graph = LookedArgs { x: &x, y: &mut y }.build(&device)?;
    let error = graph.run_checked().unwrap_err();
    assert!(matches!(&error, Error::Fault(text) if text.contains("negative")), "{error}");
    Ok(())
}
