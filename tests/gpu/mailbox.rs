//! Numbers that the host and a running graph look at at once, on the device.

use std::time::{Duration, Instant};

use graph_runtime::prelude::*;
use tests::watched::{Counting, CountingArgs, MOST, ask_and_answer, count_until_told};

use crate::device;

#[test]
fn another_thread_ends_a_loop() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    count_until_told(&device)
}

#[test]
fn what_is_posted_is_seen_and_answered() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    ask_and_answer(&device)
}

/// A launch returns at once: the thread that has launched looks and ends. (Another graph may have to wait for the loop: CUDA promises no
/// more of work in two streams.)
#[test]
fn the_launching_thread_ends_a_loop() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let (stop, seen) = (device.mailbox(&[0_u32])?, device.mailbox(&[0_u64, 0])?);
    let mut turns = device.zeros::<u64>(1)?;
    let mut graph = CountingArgs { stop: &stop, seen: &seen, turns: &mut turns, most: MOST }.build(&device)?;
    for _ in 0..2 {
        stop.set(0, 0)?;
        seen.set(0, 0)?;
        graph.launch()?;
        let begun = Instant::now();
        while seen.get(0)? < 100 {
            assert!(begun.elapsed() < Duration::from_secs(60), "no pass was seen: {seen:?}");
            std::hint::spin_loop();
        }
        stop.set(0, 1)?;
        graph.synchronize()?;
        let passes = graph.iterations(Counting::TURNS)?;
        assert_eq!(graph.exit(Counting::TURNS)?, Exit::Condition);
        assert_eq!((graph.turns().to_vec()?, seen.get(0)?, seen.get(1)?), (vec![passes], passes, passes));
    }
    Ok(())
}

#[test]
fn node_by_node_it_is_the_same() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let (stop, seen) = (device.mailbox(&[0_u32])?, device.mailbox(&[0_u64, 0])?);
    let mut turns = device.zeros::<u64>(1)?;
    let mut graph = CountingArgs { stop: &stop, seen: &seen, turns: &mut turns, most: 6 }.build(&device)?;
    graph.run_eager()?;
    assert_eq!((graph.exit(Counting::TURNS)?, seen.get(0)?, seen.get(1)?), (Exit::Limit, 6, 6));
    assert_eq!(graph.run_checked()?.skipped, []);
    stop.set(0, 3)?;
    graph.run_eager()?;
    assert_eq!((graph.exit(Counting::TURNS)?, seen.get(0)?, seen.get(1)?), (Exit::Condition, 6, 0));
    Ok(())
}
