//! Tickets, and launches in the order of a stream of cudarc's.

use std::thread;

use cudarc::driver::CudaContext;
use graph_runtime::prelude::*;
use graph_runtime::{DeviceKind, Result};

use crate::graphs::{AddArgs, CYCLES, N};

cuda_graph! {
    graph One(x: &mut [u32; 1]) {
        x[0] += 1;
    }
}

#[test]
fn many_tickets_are_awaited_from_other_threads() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let build = |k: usize| AddArgs { x: device.zeros::<u32>(N)?, by: k as u32 + 1, cycles: CYCLES }.build(&device);
    let mut replicas = Replicas::build(4, build)?;
    let mut tickets = Vec::new();
    for _ in 0..20 {
        let (_, graph) = replicas.turn();
        graph.launch()?;
        tickets.push(graph.ticket());
    }
    let waiting: Vec<_> = tickets.into_iter().map(|ticket| thread::spawn(|| pollster::block_on(ticket))).collect();
    for thread in waiting {
        thread.join().unwrap()?;
    }
    for (k, graph) in replicas.iter().enumerate() {
        assert!(graph.ticket().is_complete());
        assert_eq!(graph.x().to_vec()?, [5 * (k as u32 + 1); N]);
    }
    Ok(())
}

#[test]
fn a_ticket_outlives_its_graph() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(N)?;
    let mut graph = AddArgs { x: &mut x, by: 7, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let ticket = graph.ticket();
    drop(graph);
    pollster::block_on(ticket)?;
    assert_eq!(x.to_vec()?, [7; N]);
    Ok(())
}

/// A copy in the stream before, a launch, a copy behind it, and no wait in between.
#[test]
fn a_launch_on_a_stream_keeps_its_order() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let DeviceKind::Cuda(ordinal) = device.kind() else { return Ok(()) };
    let context = CudaContext::new(ordinal).unwrap();
    for stream in [context.default_stream(), context.new_stream().unwrap()] {
        let mut memory = stream.alloc_zeros::<u32>(N).unwrap();
        let address = {
            use cudarc::driver::DevicePtr as _;
            memory.device_ptr(&stream).0
        };
        // SAFETY: the slice outlives the graph, and the stream below keeps its order with the launches.
        let x = unsafe { Buffer::<u32>::from_raw_parts(&device, address, N, ()) }?;
        let mut graph = AddArgs { x, by: 3, cycles: CYCLES }.build(&device)?;
        for round in 0..5_u32 {
            stream.memcpy_htod(&[round; N], &mut memory).unwrap();
            let ticket = graph.launch_on(&stream)?;
            assert_eq!(stream.clone_dtoh(&memory).unwrap(), [round + 3; N]);
            assert!(ticket.is_complete(), "the copy back waited for it");
        }
    }
    Ok(())
}

#[test]
fn other_devices_have_no_streams() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let DeviceKind::Cuda(ordinal) = device.kind() else { return Ok(()) };
    let stream = CudaContext::new(ordinal).unwrap().default_stream();
    let cpu = Device::cpu();
    let mut graph = OneArgs { x: cpu.zeros(1)? }.build(&cpu)?;
    let text = graph.launch_on(&stream).unwrap_err().to_string();
    assert!(text.contains("graph `One` cannot be launched on a stream: it is on the CPU"), "{text}");
    Ok(())
}
