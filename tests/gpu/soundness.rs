//! What must hold whatever is leaked, dropped or moved while launches are running.
//!
//! Each kernel spins before it works, so that the host is most likely ahead of it; no test depends on that it is.

use std::mem::{forget, swap};
use std::sync::Arc;

use graph_runtime::Result;
use graph_runtime::prelude::*;

use crate::graphs::{AddArgs, CYCLES, FetchArgs, MaybeArgs, N, SendArgs, ShiftArgs, TimesArgs};

/// What no graph computes.
const POISON: u32 = 0xdead_beef;

/// Takes memory that was freed too early, if any was.
fn newcomers(device: &Device) -> Result<Vec<Buffer<u32>>> {
    (0..8).map(|_| device.buffer_from(&[POISON; N])).collect()
}

fn assert_untouched(newcomers: &[Buffer<u32>]) -> Result<()> {
    for buffer in newcomers {
        assert_eq!(buffer.to_vec()?, [POISON; N], "somebody else's memory was written");
    }
    Ok(())
}

#[test]
fn leak_and_read() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x: &mut x, by: 6, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    forget(graph);
    assert_eq!(x.to_vec()?, [7; N], "reading waits for the launch of a leaked graph");
    Ok(())
}

#[test]
fn leak_and_write() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x: &mut x, by: 6, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    graph.launch()?;
    forget(graph);
    x.write_from(&[100; N])?;
    assert_eq!(x.to_vec()?, [100; N], "nothing is added to what was written later");
    Ok(())
}

#[test]
fn leak_and_drop_the_buffer() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x: &mut x, by: 6, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    forget(graph);
    drop(x);
    let newcomers = newcomers(&device)?;
    crate::settle();
    assert_untouched(&newcomers)
}

#[test]
fn drop_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let from = device.buffer_from(&[5_u32; N])?;
    let mut to = device.buffer_from(&[POISON; N])?;
    let mut graph = ShiftArgs { from: &from, to: &mut to, by: 3, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    drop(graph);
    let newcomers = newcomers(&device)?;
    assert_eq!(to.to_vec()?, [11; N], "the arena lives until the launch is over");
    assert_untouched(&newcomers)
}

#[test]
fn an_owned_graph_and_its_buffers_dropped_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut to = device.buffer_from(&[POISON; N])?;
    for round in 0..10_u32 {
        let from = device.buffer_from(&[round; N])?;
        let mut graph = ShiftArgs { from, to: &mut to, by: 50, cycles: CYCLES / 4 }.build(&device)?;
        graph.launch()?;
        drop(graph);
        let newcomers = newcomers(&device)?;
        assert_eq!(to.to_vec()?, [round + 100; N], "the owned input lives until the launch is over");
        assert_untouched(&newcomers)?;
    }
    let x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    drop(graph);
    let newcomers = newcomers(&device)?;
    crate::settle();
    assert_untouched(&newcomers)
}

#[test]
fn rebuild_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut first = AddArgs { x: &mut x, by: 2, cycles: CYCLES }.build(&device)?;
    first.launch()?;
    drop(first);
    let mut second = TimesArgs { x: &mut x, by: 10, cycles: CYCLES }.build(&device)?;
    second.launch()?;
    forget(second);
    let mut third = AddArgs { x: &mut x, by: 4, cycles: 0 }.build(&device)?;
    third.launch()?;
    assert_eq!(third.x().to_vec()?, [34; N], "(1 + 2) * 10 + 4: each graph waits for the one before");
    Ok(())
}

#[test]
fn two_graphs_of_one_type_swap_whole() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut small = AddArgs { x: device.buffer_from(&[1_u32; N])?, by: 1, cycles: CYCLES }.build(&device)?;
    let mut large = AddArgs { x: device.buffer_from(&[1000_u32; 7])?, by: 100, cycles: CYCLES }.build(&device)?;
    small.launch()?;
    large.launch()?;
    swap(&mut small, &mut large);
    small.launch()?;
    assert_eq!(small.x().to_vec()?, [1200; 7]);
    assert_eq!(large.x().to_vec()?, [2; N]);
    large.launch()?;
    drop(small);
    assert_eq!(large.x().to_vec()?, [3; N]);
    Ok(())
}

#[test]
fn rebind_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = AddArgs { x: device.buffer_from(&[1_u32; N])?, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let old = graph.rebind_x(device.buffer_from(&[50_u32; N])?)?;
    graph.launch()?;
    assert_eq!(old.to_vec()?, [2; N], "the old buffer has the launch before, and no later one");
    assert_eq!(graph.x().to_vec()?, [51; N]);
    // Of another length, so that the geometry changes too.
    graph.launch()?;
    let other = graph.rebind_x(device.buffer_from(&[7_u32; 10])?)?;
    graph.launch()?;
    let mut other = other.into_buffer().unwrap();
    other.write_from(&[9; N])?;
    assert_eq!(graph.x().to_vec()?, [8; 10]);
    assert_eq!(other.to_vec()?, [9; N]);
    let old = old.into_buffer().unwrap();
    assert_eq!(old.to_vec()?, [2; N]);
    Ok(())
}

#[test]
fn a_rebind_that_fails_changes_nothing() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let from = device.buffer_from(&[1_u32; N])?;
    let to = device.buffer_from(&[POISON; N])?;
    let mut graph = ShiftArgs { from: &from, to, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let text = graph.rebind_to(device.zeros::<u32>(N - 1)?).unwrap_err().to_string();
    assert!(text.contains("`to` has 999 elements, but `n` is 1000 [CG0203]"), "{text}");
    graph.launch()?;
    assert_eq!(graph.to().to_vec()?, [3; N]);
    Ok(())
}

#[test]
fn setters_in_flight_reach_later_launches_only() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[0_u32; N])?;
    let mut graph = MaybeArgs { x: &mut x, by: 1, twice: false, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    graph.set_by(10)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [11; N], "patched");
    graph.launch()?;
    graph.set_twice(true)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [41; N], "built anew beside a launch in flight");
    graph.launch()?;
    graph.set_twice(false)?;
    graph.set_by(100)?;
    graph.launch()?;
    drop(graph);
    assert_eq!(x.to_vec()?, [161; N]);
    Ok(())
}

#[test]
fn a_graph_moves_to_a_thread_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = AddArgs { x: device.buffer_from(&[1_u32; N])?, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let moved = std::thread::spawn(move || {
        graph.launch()?;
        let seen = graph.x().to_vec()?;
        graph.launch()?;
        Ok((seen, graph.into_parts().x.into_buffer().unwrap()))
    });
    let result: Result<(Vec<u32>, Buffer<u32>)> = moved.join().unwrap();
    let (seen, x) = result?;
    assert_eq!(seen, [3; N]);
    assert_eq!(x.to_vec()?, [4; N]);
    Ok(())
}

#[test]
fn threads_build_and_launch_at_once() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let work = |thread: u32| -> Result<()> {
        for round in 0..25 {
            let start = 1000 * thread + round;
            let mut to = device.buffer_from(&[POISON; N])?;
            let from = device.buffer_from(&[start; N])?;
            let mut graph = ShiftArgs { from, to: &mut to, by: thread, cycles: CYCLES / 100 }.build(&device)?;
            graph.launch()?;
            graph.set_by(round)?;
            graph.launch()?;
            drop(graph);
            assert_eq!(to.to_vec()?, [start + 2 * round; N], "thread {thread}, round {round}");
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=4).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })
}

/// It borrows the graph whose view it has, and its launch runs on when it is gone.
#[test]
fn bound_to_a_view_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut lender = AddArgs { x: device.buffer_from(&[1_u32; N])?, by: 1, cycles: 0 }.build(&device)?;
    lender.launch()?;
    let mut writer = TimesArgs { x: lender.x_mut()?, by: 10, cycles: CYCLES }.build(&device)?;
    writer.launch()?;
    forget(writer);
    lender.launch()?;
    assert_eq!(lender.x().to_vec()?, [21; N], "(1 + 1) * 10 + 1: the lender waits for the one that it has lent to");
    let mut to = device.buffer_from(&[POISON; N])?;
    let mut reader = ShiftArgs { from: lender.x(), to: &mut to, by: 3, cycles: CYCLES }.build(&device)?;
    reader.launch()?;
    drop(reader);
    lender.launch()?;
    assert_eq!(to.to_vec()?, [27; N], "it was read before the lender wrote it again");
    Ok(())
}

#[test]
fn taken_apart_in_flight() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let from = Arc::new(device.buffer_from(&[5_u32; N])?);
    let to = device.buffer_from(&[POISON; N])?;
    let mut graph = ShiftArgs { from: Arc::clone(&from), to, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let parts = graph.into_parts();
    assert!(parts.from.into_shared::<Buffer<u32>>().is_some_and(|shared| Arc::ptr_eq(&shared, &from)));
    let mut from = Arc::try_unwrap(from).unwrap();
    from.write_from(&[1000; N])?;
    assert_eq!(parts.to.to_vec()?, [7; N], "the launch read its input before it was written");
    let mut to = parts.to.into_buffer().unwrap();
    to.write_from(&[1; N])?;
    assert_eq!((to.to_vec()?, from.to_vec()?), (vec![1; N], vec![1000; N]));
    Ok(())
}

#[test]
fn graphs_that_share_an_input_run_side_by_side() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let from = Arc::new(device.buffer_from(&[1_u32; N])?);
    let mut graphs = Vec::new();
    for by in 0..4_u32 {
        let to = device.buffer_from(&[POISON; N])?;
        graphs.push(ShiftArgs { from: Arc::clone(&from), to, by, cycles: CYCLES / 4 }.build(&device)?);
    }
    graphs.iter_mut().try_for_each(|graph| graph.launch())?;
    for (by, graph) in graphs.iter().enumerate() {
        assert_eq!(graph.to().to_vec()?, [1 + 2 * by as u32; N]);
    }
    Ok(())
}

#[test]
fn pinned_memory_is_read_when_its_launches_are_over() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut seen = device.pinned_from(&[POISON; N])?;
    let mut graph = FetchArgs { x: &mut x, seen: &mut seen, by: 4, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    forget(graph);
    assert_eq!(seen.as_slice()?, [5; N]);
    seen.as_mut_slice()?[0] = 1;
    assert_eq!(seen.to_vec()?[..2], [1, 5]);
    Ok(())
}

#[test]
fn pinned_memory_dropped_in_flight_lives_until_the_launch_is_over() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let from = device.pinned_from(&[77_u32; N])?;
    let mut graph = SendArgs { from, x: &mut x, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    drop(graph);
    let newcomers = (0..8).map(|_| device.pinned_from(&[POISON; N])).collect::<Result<Vec<_>>>()?;
    assert_eq!(x.to_vec()?, [77; N]);
    for newcomer in &newcomers {
        assert_eq!(newcomer.as_slice()?, [POISON; N]);
    }
    Ok(())
}

#[test]
fn pinned_memory_written_between_launches() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1_u32; N])?;
    let from = device.pinned_from(&[POISON; N])?;
    let mut graph = SendArgs { from, x: &mut x, cycles: CYCLES / 40 }.build(&device)?;
    for round in 0..20_u32 {
        graph.from_mut()?.write_from(&[round; N])?;
        graph.launch()?;
        graph.from_mut()?.write_from(&[POISON; N])?;
        assert_eq!(graph.x().to_vec()?, [round; N], "the launch had read the memory before it was written");
    }
    Ok(())
}

cuda_graph! {
    /// Nothing, in many ways.
    graph Empty(from: &host [u32; n], x: &mut [u32; n], y: &out [u32; n], to: &out host [u32; n]) {
        let t: [u32; n] = 5;
        copy(&from, &out x);
        copy(&x, &out y);
        copy(&y, &out to);
        copy(&t, &out x);
    }
}

#[test]
fn zero_sizes_are_sizes() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let (x, mut y) = (device.zeros::<u32>(0)?, device.zeros::<u32>(0)?);
    let (from, mut to) = (device.pinned_zeros::<u32>(0)?, device.pinned_zeros::<u32>(0)?);
    let mut graph = EmptyArgs { from: &from, x, y: &mut y, to: &mut to }.build(&device)?;
    graph.launch()?;
    graph.run_eager()?;
    let old = graph.rebind_x(device.zeros::<u32>(0)?)?;
    graph.launch()?;
    assert!(old.to_vec()?.is_empty() && graph.x().to_vec()?.is_empty());
    drop(graph);
    y.write_from(&[])?;
    assert!(y.to_vec()?.is_empty() && to.as_slice()?.is_empty() && to.as_mut_slice()?.is_empty());
    Ok(())
}
