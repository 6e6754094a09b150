//! `CudaSlice` to `Buffer` and back, with work in flight on both sides.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr as _, LaunchConfig, PushKernelArg as _,
};
use cudarc::nvrtc::Ptx;
use graph_runtime::prelude::*;

use crate::graphs::{AddArgs, CYCLES, N, ShiftArgs};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// Somebody else's program: a context of cudarc's with a kernel of its own.
struct Other {
    context: Arc<CudaContext>,
    affine: CudaFunction,
}

impl Other {
    fn new(tracking: bool) -> Result<Self> {
        let context = CudaContext::new(0)?;
        if !tracking {
            // SAFETY: each test below uses a slice in the stream that it belongs to.
            unsafe { context.disable_event_tracking() };
        }
        let module = context.load_module(Ptx::from_src(include_str!("../kernels/late.ptx")))?;
        Ok(Self { affine: module.load_function("affine")?, context })
    }

    /// `x = x * factor + value`, behind a wait.
    fn affine(&self, stream: &CudaStream, x: &mut CudaSlice<u32>, factor: u32, value: u32) -> Result {
        let n = u32::try_from(x.len())?;
        let config = LaunchConfig { grid_dim: (n.div_ceil(256), 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        let mut launch = stream.launch_builder(&self.affine);
        launch.arg(x).arg(&factor).arg(&value).arg(&n).arg(&CYCLES);
        // SAFETY: these are the kernel's parameters, and it touches the first `n` elements of `x` only.
        unsafe { launch.launch(config) }?;
        Ok(())
    }
}

/// With a context that tracks slices and one that does not, in the default stream and in a stream of its own.
fn everywhere(test: impl Fn(&Other, &Arc<CudaStream>, &str) -> Result) -> Result {
    for tracking in [true, false] {
        let other = Other::new(tracking)?;
        test(&other, &other.context.default_stream(), &format!("default stream, tracking: {tracking}"))?;
        test(&other, &other.context.new_stream()?, &format!("own stream, tracking: {tracking}"))?;
        other.context.check_err()?;
    }
    Ok(())
}

#[test]
fn a_graph_waits_for_the_stream_of_the_slice() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    everywhere(|other, stream, what| {
        let mut slice = stream.clone_htod(&[1_u32; N])?;
        other.affine(stream, &mut slice, 10, 5)?;
        let mut graph = AddArgs { x: Buffer::from_cuda_slice(slice)?, by: 100, cycles: 0 }.build(&device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [115; N], "{what}");
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [215; N], "{what}, second launch");
        Ok(())
    })
}

#[test]
fn the_host_waits_for_the_stream_of_the_slice() -> Result {
    let Some(_device) = crate::device() else { return Ok(()) };
    everywhere(|other, stream, what| {
        let mut slice = stream.clone_htod(&[1_u32; N])?;
        other.affine(stream, &mut slice, 10, 5)?;
        let mut buffer = Buffer::from_cuda_slice(slice)?;
        assert_eq!(buffer.to_vec()?, [15; N], "{what}");
        buffer.write_from(&[2; N])?;
        let mut slice = buffer.into_cuda_slice(stream)?;
        other.affine(stream, &mut slice, 3, 0)?;
        let mut buffer = Buffer::from_cuda_slice(slice)?;
        buffer.write_from(&[9; N])?;
        assert_eq!(buffer.to_vec()?, [9; N], "{what}: what is written comes behind the stream's work");
        Ok(())
    })
}

#[test]
fn the_stream_of_the_slice_waits_for_graphs() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    everywhere(|other, stream, what| {
        let mut slice = stream.clone_htod(&[1_u32; N])?;
        let address = slice.device_ptr(stream).0;
        other.affine(stream, &mut slice, 2, 0)?;
        let mut graph = AddArgs { x: Buffer::from_cuda_slice(slice)?, by: 7, cycles: CYCLES }.build(&device)?;
        graph.launch()?;
        let buffer = graph.into_parts().x.into_buffer().ok_or("an owned buffer")?;
        let elsewhere = other.context.new_stream()?;
        let mut slice = buffer.into_cuda_slice(&elsewhere)?;
        assert_eq!(slice.device_ptr(stream).0, address, "{what}: the same memory");
        assert!(Arc::ptr_eq(slice.stream(), stream), "{what}: the slice that it was made of");
        other.affine(stream, &mut slice, 10, 3)?;
        assert_eq!(stream.clone_dtoh(&slice)?, [93; N], "{what}: (1 * 2 + 7) * 10 + 3");
        Ok(())
    })
}

#[test]
fn our_own_buffer_becomes_a_slice_of_any_stream() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    everywhere(|other, stream, what| {
        let from = device.buffer_from(&[1_u32; N])?;
        let to = device.buffer_from(&[0xdead_beef_u32; N])?;
        let mut graph = ShiftArgs { from, to, by: 2, cycles: CYCLES }.build(&device)?;
        graph.launch()?;
        let parts = graph.into_parts();
        let mut slice = parts.to.into_buffer().ok_or("an owned buffer")?.into_cuda_slice(stream)?;
        // Freed while the launch may still read it.
        drop(parts.from.into_buffer().ok_or("an owned buffer")?.into_cuda_slice(stream)?);
        assert_eq!((slice.len(), Arc::ptr_eq(slice.stream(), stream)), (N, true), "{what}");
        other.affine(stream, &mut slice, 10, 1)?;
        assert_eq!(stream.clone_dtoh(&slice)?, [51; N], "{what}");
        let mut again = AddArgs { x: Buffer::from_cuda_slice(slice)?, by: 1, cycles: 0 }.build(&device)?;
        again.launch()?;
        assert_eq!(again.x().to_vec()?, [52; N], "{what}: and back");
        Ok(())
    })
}

#[test]
fn uses_in_other_streams_are_waited_for_where_they_are_tracked() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    let other = Other::new(true)?;
    let [own, elsewhere] = [other.context.new_stream()?, other.context.new_stream()?];
    let mut slice = own.clone_htod(&[1_u32; N])?;
    other.affine(&elsewhere, &mut slice, 4, 1)?;
    let mut graph = AddArgs { x: Buffer::from_cuda_slice(slice)?, by: 10, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let buffer = graph.into_parts().x.into_buffer().ok_or("an owned buffer")?;
    let mut slice = buffer.into_cuda_slice(&own)?;
    other.affine(&elsewhere, &mut slice, 2, 0)?;
    assert_eq!(own.clone_dtoh(&slice)?, [30; N], "(1 * 4 + 1 + 10) * 2");
    Ok(())
}

#[test]
fn memory_of_a_slice_dropped_in_flight_lives_until_the_launch_is_over() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    everywhere(|_, stream, what| {
        let mut to = device.buffer_from(&[0_u32; N])?;
        let from = Buffer::from_cuda_slice(stream.clone_htod(&[6_u32; N])?)?;
        let mut graph = ShiftArgs { from, to: &mut to, by: 1, cycles: CYCLES }.build(&device)?;
        graph.launch()?;
        drop(graph);
        let newcomers = (0..8).map(|_| stream.clone_htod(&[1000_u32; N])).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(to.to_vec()?, [8; N], "{what}");
        for newcomer in &newcomers {
            assert_eq!(stream.clone_dtoh(newcomer)?, [1000; N], "{what}");
        }
        Ok(())
    })
}

#[test]
fn no_elements_either_way() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    let other = Other::new(true)?;
    let stream = other.context.new_stream()?;
    let slice = device.zeros::<u32>(0)?.into_cuda_slice(&stream)?;
    assert!(slice.is_empty());
    let buffer = Buffer::from_cuda_slice(slice)?;
    assert!(buffer.is_empty() && buffer.to_vec()?.is_empty());
    Ok(())
}

#[test]
fn what_cannot_become_a_slice_says_why() -> Result {
    let Some(device) = crate::device() else { return Ok(()) };
    let other = Other::new(true)?;
    let stream = other.context.new_stream()?;
    let text = Device::cpu().zeros::<u32>(4)?.into_cuda_slice(&stream).map(drop).unwrap_err().to_string();
    assert!(text.contains("a buffer on the CPU has no CudaSlice"), "{text}");
    let mut x = device.buffer_from(&[1_u32; N])?;
    let mut graph = AddArgs { x: &mut x, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    std::mem::forget(graph);
    let text = x.into_cuda_slice(&stream).map(drop).unwrap_err().to_string();
    assert!(text.contains("a graph still names it") && text.contains("help: drop the graph first"), "{text}");
    crate::settle();
    Ok(())
}
