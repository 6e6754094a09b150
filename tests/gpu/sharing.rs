//! Memory that several graphs write, arenas, switches and assertions, while launches are running.
//!
//! Each kernel spins before it works, so that the host is most likely ahead of it; no test depends on that it is.

use graph_runtime::Result;
use graph_runtime::prelude::*;
use graph_runtime::{Arena, Shared};

use crate::graphs::{AddArgs, CYCLES, N, ShiftArgs, TimesArgs};

cuda_graph! {
    graph Guarded(x: &mut [u32; 1], bound: u32) {
        x[0] += 1;
        'check: assert!(x[0] < bound, "{bound} is reached");
        while x[0] % 10 != 0 limit 5 {
            x[0] += 1;
            assert!(x[0] != 17, "seventeen");
        }
    }

    graph Steps(x: &mut [u32; 4]) {
        #[optional]
        'first: x[0] += 1;
        #[optional]
        'copied: copy(&x[0..1], &out x[1..2]);
        #[optional]
        'filled: fill(&out x[2..3], 9);
        loop limit 3 {
            #[optional]
            'inside: x[3] += x[0];
        }
    }
}

#[test]
fn launches_of_graphs_that_share_a_buffer_take_turns() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let shared = Shared::new(device.buffer_from(&[1_u32; N])?);
    let mut add = AddArgs { x: &shared, by: 2, cycles: CYCLES }.build(&device)?;
    let mut times = TimesArgs { x: shared.clone(), by: 3, cycles: CYCLES }.build(&device)?;
    add.launch()?;
    times.launch()?;
    times.launch()?;
    add.launch()?;
    times.launch()?;
    assert_eq!(shared.to_vec()?, [87; N], "((1 + 2) * 9 + 2) * 3");
    add.launch()?;
    shared.write_from(&[5; N])?;
    times.launch()?;
    add.launch()?;
    assert_eq!(times.x().to_vec()?, [17; N], "the host takes its turn");
    Ok(())
}

#[test]
fn what_one_graph_writes_another_reads_and_leaked_ones_are_waited_for() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let shared = Shared::new(device.buffer_from(&[1_u32; N])?);
    let mut to = device.zeros::<u32>(N)?;
    let mut add = AddArgs { x: &shared, by: 10, cycles: CYCLES }.build(&device)?;
    let mut reader = ShiftArgs { from: &shared, to: &mut to, by: 1, cycles: CYCLES }.build(&device)?;
    add.launch()?;
    reader.launch()?;
    add.launch()?;
    std::mem::forget(add);
    assert_eq!(reader.to().to_vec()?, [13; N], "the second addition waits for the reader");
    drop(reader);
    assert_eq!(shared.to_vec()?, [21; N]);
    Ok(())
}

fn shift<'g>(arena: &Arena, device: &Device, length: usize, by: u32) -> Result<crate::graphs::Shift<'g>> {
    let (from, to) = (device.buffer_from(&vec![1; length])?, device.zeros(length)?);
    ShiftArgs { from, to, by, cycles: CYCLES / 8 }.build_in(arena, device)
}

#[test]
fn graphs_of_an_arena_take_turns_and_move_when_it_grows() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let arena = device.arena();
    let mut small = shift(&arena, &device, N, 1)?;
    small.launch()?;
    let mut large = shift(&arena, &device, 100 * N, 10)?;
    assert_eq!(arena.bytes(), large.memory().transients);
    for _ in 0..3 {
        large.launch()?;
        small.launch()?;
    }
    assert_eq!(small.to().to_vec()?, [3; N]);
    assert_eq!(large.to().to_vec()?, vec![21; 100 * N]);
    assert_eq!(small.memory().arena, arena.bytes());
    small.set_by(2)?;
    small.run_eager()?;
    large.launch()?;
    assert_eq!(small.to().to_vec()?, [5; N]);
    Ok(())
}

#[test]
fn threads_share_a_buffer_and_an_arena() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let shared = Shared::new(device.zeros::<u32>(N)?);
    let arena = device.arena();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=3_u32)
            .map(|by| {
                let (device, shared, arena) = (&*device, &shared, &arena);
                scope.spawn(move || -> Result<()> {
                    let mut add = AddArgs { x: shared, by, cycles: 1000 }.build(device)?;
                    let mut own = shift(arena, device, N * by as usize, by)?;
                    for _ in 0..20 {
                        add.launch()?;
                        own.launch()?;
                    }
                    assert_eq!(own.to().to_vec()?, vec![1 + 2 * by; N * by as usize]);
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })?;
    assert_eq!(shared.to_vec()?, [120; N], "20 * (1 + 2 + 3)");
    Ok(())
}

#[test]
fn an_assertion_is_reported_once_and_the_next_launch_starts_clean() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = GuardedArgs { x: device.buffer_from(&[0_u32])?, bound: 5 }.build(&device)?;
    graph.launch()?;
    graph.synchronize()?;
    assert_eq!(graph.x().to_vec()?, [6]);
    graph.launch()?;
    let text = graph.synchronize().unwrap_err().to_string();
    assert!(text.starts_with("assertion failed: 5 is reached") && text.contains("sharing.rs:14:"), "{text}");
    graph.synchronize()?;
    graph.set_bound(100)?;
    graph.x_mut()?.write_from(&[15])?;
    graph.launch()?;
    let text = graph.x().to_vec().unwrap_err().to_string();
    assert!(text.starts_with("assertion failed: seventeen"), "{text}");
    assert_eq!(graph.x().to_vec()?, [20], "the launch went on");
    graph.x_mut()?.write_from(&[15])?;
    let text = graph.run_eager().unwrap_err().to_string();
    assert!(text.starts_with("assertion failed: seventeen"), "{text}");
    Ok(())
}

#[test]
fn kernels_copies_and_fills_are_switched_also_in_bodies() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = StepsArgs { x: device.zeros::<u32>(4)? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1, 1, 9, 3]);
    graph.x_mut()?.write_from(&[0; 4])?;
    for label in [Steps::COPIED, Steps::FILLED, Steps::INSIDE] {
        graph.disable(label)?;
    }
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1, 0, 0, 0]);
    graph.enable(Steps::COPIED)?;
    graph.enable(Steps::INSIDE)?;
    graph.disable(Steps::FIRST)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1, 1, 0, 3]);
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [1, 1, 0, 6], "node by node too");
    Ok(())
}
