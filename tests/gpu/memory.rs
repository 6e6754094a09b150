//! Graphs that come and go leave no memory behind.

use std::error::Error;

use cudarc::driver::CudaContext;
use graph_runtime::Result;
use graph_runtime::prelude::*;

use crate::graphs::{AddArgs, N, ShiftArgs};

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
