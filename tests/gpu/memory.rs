//! Graphs that come and go leave no memory behind.

use std::error::Error;

use cudarc::driver::CudaContext;
use graph_runtime::Result;
use graph_runtime::prelude::*;

use crate::graphs::{AddArgs, N, Shift, ShiftArgs};

/// What the driver may keep for itself.
const SLACK: usize = 4 << 20;

/// Builds, launches and drops a graph with a transient and owned buffers; another one shares a buffer with it.
fn cycle(device: &Device, x: &mut Buffer<u32>) -> Result<()> {
    let from = device.buffer_from(&[1_u32; N])?;
    let mut graph = ShiftArgs { from, to: &mut *x, by: 1, cycles: 0 }.build(device)?;
    graph.launch()?;
    graph.set_by(2)?;
    graph.launch()?;
    drop(graph);
    AddArgs { x, by: 1, cycles: 0 }.build(device)?.launch()
}

/// Bytes that are not in use on the device, once nothing runs.
fn free(context: &CudaContext) -> Result<usize, Box<dyn Error>> {
    context.synchronize()?;
    Ok(context.mem_get_info()?.0)
}

#[test]
fn five_hundred_graphs_leave_nothing_behind() -> Result<(), Box<dyn Error>> {
    let Some(device) = crate::device_alone() else { return Ok(()) };
    if crate::is_watched() {
        return Ok(());
    }
    let context = CudaContext::new(0)?;
    let mut x = device.zeros::<u32>(N)?;
    for _ in 0..50 {
        cycle(&device, &mut x)?;
    }
    let before = free(&context)?;
    for _ in 0..500 {
        cycle(&device, &mut x)?;
    }
    assert_eq!(x.to_vec()?, [6; N]);
    let after = free(&context)?;
    assert!(after + SLACK >= before, "{} bytes are gone", before - after);
    Ok(())
}

/// Changes a graph, now and then its buffer, now and then all of it, and launches it.
fn update<'g>(device: &Device, graph: &mut Shift<'g>, from: &'g Buffer<u32>, number: u32) -> Result<()> {
    graph.set_by(number)?;
    if number.is_multiple_of(10) {
        graph.rebind_to(device.zeros::<u32>(N)?)?;
    }
    if number.is_multiple_of(100) {
        let other = ShiftArgs { from, to: device.zeros::<u32>(N)?, by: number, cycles: 0 };
        graph.update_from(other.build(device)?)?;
    }
    graph.launch()
}

/// Setters, rebinds and whole-graph updates of one graph; then graphs of several shapes in a cache, built and forgotten.
#[test]
fn ten_thousand_updates_and_a_thousand_builds_leave_nothing_behind() -> Result<(), Box<dyn Error>> {
    let Some(device) = crate::device_alone() else { return Ok(()) };
    if crate::is_watched() {
        return Ok(());
    }
    let context = CudaContext::new(0)?;
    let from = device.buffer_from(&[1_u32; N])?;
    let mut graph = ShiftArgs { from: &from, to: device.zeros::<u32>(N)?, by: 1, cycles: 0 }.build(&device)?;
    let mut update = |number: u32| update(&device, &mut graph, &from, number);
    (0..500).try_for_each(&mut update)?;
    let (before, held) = (free(&context)?, device.held_memory());
    (0..10_000).try_for_each(update)?;
    assert_eq!(graph.to().to_vec()?, [1 + 2 * 9_999; N], "the last value, twice");
    let mut cache = Cache::new(&device, 3)?;
    for number in 0..1000_u32 {
        let by = number % 4;
        let make = || -> Result<_> { Ok(ShiftArgs { from: &from, to: device.zeros::<u32>(N)?, by, cycles: 0 }) };
        cache.get_or_build(by, |arena| make()?.build_in(arena, &device))?.launch()?;
    }
    assert_eq!(cache.figures().builds, 1000, "there is one shape more than there is room for");
    drop(cache);
    assert_eq!(device.held_memory(), held);
    let after = free(&context)?;
    assert!(after + SLACK >= before, "{} bytes are gone", before - after);
    Ok(())
}

#[test]
fn large_buffers_dropped_in_flight_come_back() -> Result<(), Box<dyn Error>> {
    const LARGE: usize = 64 << 20;
    let Some(device) = crate::device_alone() else { return Ok(()) };
    if crate::is_watched() {
        return Ok(());
    }
    let context = CudaContext::new(0)?;
    let round = || -> Result<()> {
        let (from, to) = (device.zeros::<u32>(LARGE / 4)?, device.zeros::<u32>(LARGE / 4)?);
        ShiftArgs { from, to, by: 1, cycles: 1000 }.build(&device)?.launch()
    };
    round()?;
    let before = free(&context)?;
    for _ in 0..20 {
        round()?;
    }
    let after = free(&context)?;
    // The pool may keep what the last rounds had, if it frees at its own next chance: two buffers and an arena each.
    assert!(after + 2 * 3 * LARGE >= before, "{} bytes are gone", before - after);
    Ok(())
}
