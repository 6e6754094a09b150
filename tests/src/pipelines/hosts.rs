//! The host's side: `for`, `match`, `if let`, patterns; decided when the graph is built.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

/// What a pass does.
#[derive(Clone, Debug)]
pub enum Step {
    /// Adds this to every element.
    Add(f32),
    /// Multiplies every element by this, so often.
    Scale {
        /// The factor.
        by: f32,
        /// How often.
        times: usize,
    },
    /// Nothing.
    Rest,
}

cuda_graph! {
    #[allow(redundant_after, reason = "each pass has a label of its own")]
    graph Polynomial(x: &mut [f32; n], coefficients: Vec<f32>) {
        for (i, c) in coefficients.iter().enumerate().rev() {
            'times: basic::times_constant<<<1, 4>>>(&mut x, 3.0, n as u32);
            basic::add_constant<<<1, 4>>>(&mut x, c + i as f32, n as u32) after 'times;
        }
    }

    graph PingPong(x: &mut [f32; n], passes: u32) {
        let y: [f32; n];
        'layers: for k in 0..passes {
            let half: [f32; n];
            basic::copy_scaled<<<1, 4>>>(&x, &out half, 0.5, n as u32);
            basic::sum_of_two<<<1, 4>>>(&half, &half, &out y, n as u32);
            basic::add_constant<<<1, 4>>>(&mut y, k as f32, n as u32);
            swap(&mut x, &mut y);
        }
        basic::add_constant<<<1, 4>>>(&mut x, 100.0, n as u32) after 'layers;
    }

    graph Program(x: &mut [f32; n], steps: Vec<Step>, name: Option<String>) {
        for step in steps {
            match step {
                Step::Add(by) if by == 0.0 => {}
                Step::Add(by) => { basic::add_constant<<<1, 4>>>(&mut x, by, n as u32); }
                Step::Scale { by, times } => {
                    for _ in 0..times { basic::times_constant<<<1, 4>>>(&mut x, by, n as u32); }
                }
                Step::Rest => {}
            }
        }
        if let Some(name) = name {
            let (letters, first) = (name.len(), name.chars().next());
            basic::add_constant<<<1, 4>>>(&mut x, letters as f32, n as u32);
            if first == Some('n') { fill(&out x[0..1], -1.0); }
        } else {
            fill(&out x[1..2], -2.0);
        }
    }

    graph Loops(x: &mut [u32; 1], y: &mut [u32; 4], rounds: u32, inner: [u32]) {
        for round in 0..rounds {
            x[0] = inner[round as usize];
            'down: while x[0] != 0 {
                for _ in 0..2 {
                    basic::increment<<<1, 4>>>(&mut y, 4);
                    if round == 1 { basic::increment<<<1, 4>>>(&mut y, 4); }
                }
                x[0] -= 1;
            }
        }
    }

    graph Unrolled(x: &mut [u32; 1], y: &mut [u32; 4], passes: usize) {
        'fours: while x[0] > 0 limit 40 every 2 {
            for k in 0..passes {
                if k % 2 == 0 { x[0] -= k as u32 / 2; } else { basic::increment<<<1, 4>>>(&mut y, 4); }
            }
            x[0] -= 1;
        }
    }
}

/// Horner's rule, from the last coefficient: `x = 3 x + c[i] + i`.
pub fn horner(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1.0_f32, 2.0])?;
    let coefficients = vec![5.0, 4.0, 3.0];
    let mut graph = PolynomialArgs { x: &mut x, coefficients }.build(device)?;
    run(&mut graph)?;
    // ((x 3 + 5) 3 + 5) 3 + 5
    assert_eq!(graph.x().to_vec()?, [92.0, 119.0]);
    assert_eq!(graph.plan().nodes().len(), 6);
    let labels: Vec<String> = graph.plan().nodes().iter().map(|node| node.label.clone()).collect();
    assert_eq!(labels[..3], ["times[0]", "add_constant[0]", "times[1]"]);
    graph.set_coefficients(vec![7.0])?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [283.0, 364.0]);
    graph.set_coefficients(Vec::new())?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [283.0, 364.0]);
    Ok(())
}

/// Names are exchanged after each pass; the result is where its owner looks for it, however many passes there are.
pub fn ping_pong(device: &Device) -> Result<()> {
    for passes in [0_u32, 1, 2, 5] {
        let mut x = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
        let mut graph = PingPongArgs { x: &mut x, passes }.build(device)?;
        run(&mut graph)?;
        let sum = (passes * passes.saturating_sub(1) / 2) as f32;
        assert_eq!(graph.x().to_vec()?, [1.0, 2.0, 3.0].map(|x| x + sum + 100.0), "{passes} passes");
        graph.set_passes(passes + 1)?;
        run(&mut graph)?;
        let more = (passes * (passes + 1) / 2) as f32;
        assert_eq!(graph.x().to_vec()?, [1.0, 2.0, 3.0].map(|x| x + sum + more + 200.0), "{passes} passes and one");
    }
    Ok(())
}

/// Enums, patterns, guards, options and strings.
pub fn host_match(device: &Device) -> Result<()> {
    let steps = vec![Step::Add(2.0), Step::Add(0.0), Step::Scale { by: 2.0, times: 3 }, Step::Rest, Step::Add(1.0)];
    for (name, expected) in
        [(None, [25.0, -2.0, 41.0]), (Some("nine"), [-1.0, 37.0, 45.0]), (Some("a"), [26.0, 34.0, 42.0])]
    {
        let mut x = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
        let name = name.map(str::to_owned);
        let mut graph = ProgramArgs { x: &mut x, steps: steps.clone(), name }.build(device)?;
        run(&mut graph)?;
        assert_eq!(graph.x().to_vec()?, expected);
    }
    Ok(())
}

/// A device loop in each pass, passes in a device loop.
pub fn loops_in_passes(device: &Device) -> Result<()> {
    let mut x = device.zeros::<u32>(1)?;
    let mut y = device.zeros::<u32>(4)?;
    let mut graph = LoopsArgs { x: &mut x, y: &mut y, rounds: 3, inner: &[4, 5, 0] }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [4 * 2 + 5 * 4; 4]);
    let passes: Vec<u64> = (0..3).map(|round| graph.iterations(Loops::DOWN.pass(round))).collect::<Result<_>>()?;
    assert_eq!(passes, [4, 5, 0]);
    let error = graph.iterations(Loops::DOWN.pass(3)).unwrap_err().to_string();
    assert!(error.contains("`down`") && error.contains("`.pass(0)` to `.pass(2)`"), "{error}");
    graph.set_inner(1, 1)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [28 + 4 * 2 + 4; 4]);
    Ok(())
}

/// Passes of the host's in passes that `every` unrolls.
pub fn passes_in_every(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[12_u32])?;
    let mut y = device.zeros::<u32>(4)?;
    // Each pass takes 0 + 1 and then 1 away, and adds two.
    let mut graph = UnrolledArgs { x: &mut x, y: &mut y, passes: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?[0], graph.y().to_vec()?), (0, vec![12; 4]));
    assert_eq!(graph.iterations(Unrolled::FOURS)?, 6);
    Ok(())
}

/// What `as` would lose is refused with the number, at build and at a setter.
pub fn lossy_casts(device: &Device) -> Result<()> {
    let mut x = device.zeros::<f32>(2)?;
    let mut graph = LossyArgs { x: &mut x, k: 7 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [7.0, 0.0]);
    let error = graph.set_k(3_000_000_000).unwrap_err().to_string();
    assert!(error.contains("`k as i32` loses its value: 3000000000 does not fit `i32` [CG0206]"), "{error}");
    assert!(error.contains("hosts.rs:"), "{error}");
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [7.0, 0.0]);
    Ok(())
}

cuda_graph! {
    graph Lossy(x: &mut [f32; n], k: u64) {
        let count = k as i32;
        fill(&out x[0..1], count as f32);
        fill(&out x[1..n], 0.0);
    }
}
