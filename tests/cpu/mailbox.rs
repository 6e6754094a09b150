//! Numbers that the host and a running graph look at at once.
#![allow(clippy::float_cmp, reason = "exact numbers")]

use graph_runtime::Checked;
use graph_runtime::prelude::*;
use tests::watched::{CountingArgs, StoppingArgs, ask_and_answer, count_until_told};

cuda_graph! {
    graph Chosen(way: &mailbox [i32; 2], x: &mut [f32; n], told: &mut mailbox [f64; 2]) {
        assert!(way[1] != 0, "nobody has chosen");
        match way[0] {
            1 => { fill(&out x, 1.0); }
            2 => { fill(&out x, 2.0); }
            _ => {}
        }
        if way[1] > 4 { told[1] = 4.0; }
        told[0] = x[n - 1] as f64;
    }

    graph Around(way: &mailbox [i32; 2], x: &mut [f32; n], told: &mut mailbox [f64; 2]) {
        Chosen { way: &way, x: &mut x, told: &mut told };
    }

    graph Inner(x: &mut [f32; n]) {
        kernel for i in 0..n { x[i] += 1.0; }
    }

    graph Wrong(told: &mut mailbox [f32; 4]) {
        Inner { x: &mut told };
    }
}

#[test]
fn another_thread_ends_a_loop() -> Result<()> {
    count_until_told(&Device::cpu())?;
    count_until_told(&Device::cpu().shuffled(3))?;
    count_until_told(&Device::cpu().deferred())
}

#[test]
fn what_is_posted_is_seen_and_answered() -> Result<()> {
    ask_and_answer(&Device::cpu())
}

#[test]
fn tests_of_every_kind_read_it_at_each_launch() -> Result<()> {
    let device = Device::cpu();
    let (way, told) = (device.mailbox(&[2_i32, 0])?, device.mailbox(&[0.0_f64, 0.0])?);
    let mut x = device.zeros::<f32>(3)?;
    let mut graph = AroundArgs { way: &way, x: &mut x, told: &told }.build(&device)?;
    let error = graph.launch().and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(error.contains("nobody has chosen"), "{error}");
    for (first, second, left) in [(2, 1, 2.0), (1, 5, 1.0), (9, -3, 1.0)] {
        way.set(0, first)?;
        way.set(1, second)?;
        graph.launch()?;
        assert_eq!((graph.x().to_vec()?, told.get(0)?), (vec![left as f32; 3], left));
    }
    assert_eq!([told.get(1)?], [4.0], "only where 5 was chosen");
    let checked = graph.run_checked()?;
    assert_eq!(checked, Checked { compared: checked.compared, skipped: Vec::new() });
    assert_eq!(format!("{told:?}"), "[1.0, 4.0]");
    Ok(())
}

#[test]
fn a_graph_inside_may_not_take_it_as_something_else() -> Result<()> {
    let device = Device::cpu();
    let told = device.mailbox(&[0.0_f32; 4])?;
    let error = WrongArgs { told: &told }.build(&device).map(drop).unwrap_err().to_string();
    assert!(error.contains("this `kernel for` is given `told`, which is a mailbox [CG0409]"), "{error}");
    Ok(())
}

#[test]
fn another_mailbox_takes_its_place_and_the_old_one_is_left_alone() -> Result<()> {
    let device = Device::cpu();
    let (stop, seen, other) = (device.mailbox(&[0_u32])?, device.mailbox(&[0_u64, 9])?, device.mailbox(&[0_u64, 9])?);
    let mut turns = device.zeros::<u64>(1)?;
    let mut graph =
        CountingArgs { stop: stop.clone(), seen: seen.clone(), turns: &mut turns, most: 5 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.rebind_seen(&other)?.to_vec()?, [5, 5]);
    StoppingArgs { stop: &stop }.build(&device)?.launch()?;
    assert_eq!(stop.get(0)?, 1);
    graph.launch()?;
    assert_eq!(([seen.get(0)?, seen.get(1)?], [other.get(0)?, other.get(1)?]), ([5, 5], [0, 0]));
    assert_eq!(graph.into_parts().seen.to_vec()?, [0, 0]);
    let elsewhere = Device::cpu().mailbox(&[0_u32; 2])?;
    let error = StoppingArgs { stop: elsewhere }.build(&device).map(drop).unwrap_err().to_string();
    assert!(error.contains("2 elements"), "{error}");
    Ok(())
}
