//! Parts of buffers in several graphs, and memory of somebody else's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::{CudaContext, CudaSlice, DevicePtr as _};
use graph_runtime::prelude::*;

cuda_graph! {
    graph Raise(x: &mut [u32; n], times: u32) {
        loop limit times {
            x[0] += 1;
            x[n - 1] += 10;
        }
    }

    graph Gather(from: &[u32; n], to: &out [u32; n]) {
        copy(&from, &out to);
    }
}

#[test]
fn parts_of_one_buffer_belong_to_many_graphs_at_once() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.zeros::<u32>(8 * 100)?;
    let mut graphs = Vec::new();
    for part in x.chunks_mut(100)? {
        graphs.push(RaiseArgs { x: part, times: 50 }.build(&device)?);
    }
    for _ in 0..3 {
        for graph in &mut graphs {
            graph.launch()?;
        }
    }
    graphs[2].x_mut()?.write_from(&[7; 100])?;
    graphs[2].launch()?;
    drop(graphs);
    let x = x.to_vec()?;
    for (index, part) in x.chunks(100).enumerate() {
        let (first, last, between) = if index == 2 { (57, 507, 7) } else { (150, 1500, 0) };
        assert_eq!((part[0], part[99]), (first, last), "part {index}");
        assert!(part[1..99].iter().all(|element| *element == between), "part {index}");
    }
    Ok(())
}

#[test]
fn a_part_is_read_from_its_first_element_on() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let from = device.buffer_from(&(0..100).collect::<Vec<u32>>())?;
    let mut to = device.zeros::<u32>(100)?;
    let part = to.slice_mut(91..)?;
    let mut gather = GatherArgs { from: from.slice(3..12)?, to: part }.build(&device)?;
    gather.launch()?;
    assert_eq!(gather.to().to_vec()?, (3..12).collect::<Vec<u32>>());
    drop(gather);
    assert_eq!(to.to_vec()?[90..], [0, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    Ok(())
}

/// Somebody else's tensor.
struct Tensor {
    _memory: CudaSlice<u32>,
    dropped: Arc<AtomicBool>,
}

impl Drop for Tensor {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::SeqCst);
    }
}

#[test]
fn memory_of_another_library_is_worked_on_in_place() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let Some(device) = crate::device() else { return Ok(()) };
    let stream = CudaContext::new(0)?.new_stream()?;
    let memory = stream.clone_htod(&[5_u32; 64])?;
    stream.synchronize()?;
    let address = memory.device_ptr(&stream).0;
    let dropped = Arc::new(AtomicBool::new(false));
    let tensor = Tensor { _memory: memory, dropped: Arc::clone(&dropped) };
    // SAFETY: the tensor has 64 elements, its stream is idle, and nobody else uses it.
    let x = unsafe { Buffer::<u32>::from_raw_parts(&device, address, 64, tensor) }?;
    let mut raise = RaiseArgs { x, times: 20 }.build(&device)?;
    raise.launch()?;
    let x = raise.into_parts().x.into_buffer().ok_or("bound by value")?;
    let elements = x.to_vec()?;
    assert_eq!((elements[0], elements[1], elements[63]), (25, 5, 205));
    assert!(!dropped.load(Ordering::SeqCst));
    drop(x);
    // What waits for launches is given back at the next allocation.
    device.zeros::<u32>(1)?;
    assert!(dropped.load(Ordering::SeqCst));
    Ok(())
}

#[test]
fn the_driver_knows_what_an_address_is() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let Some(device) = crate::device() else { return Ok(()) };
    let stream = CudaContext::new(0)?.new_stream()?;
    let memory = stream.clone_htod(&[0_u32; 64])?;
    stream.synchronize()?;
    let address = memory.device_ptr(&stream).0;
    let pinned = device.pinned_zeros::<u32>(4)?;
    let host = pinned.as_slice()?.as_ptr().expose_provenance() as u64;
    let local = Box::new(0_u64);
    let pageable = std::ptr::from_ref(&*local).expose_provenance() as u64;
    // SAFETY: refused before anything is looked at, or freed at once.
    let [part, long, pinned, pageable] = unsafe {
        [
            Buffer::<u32>::from_raw_parts(&device, address + 16, 60, ()),
            Buffer::<u32>::from_raw_parts(&device, address, 1 << 40, ()),
            Buffer::<u32>::from_raw_parts(&device, host, 4, ()),
            Buffer::<u32>::from_raw_parts(&device, pageable, 2, ()),
        ]
    };
    assert_eq!(part?.len(), 60);
    assert!(pinned.err().ok_or("pinned")?.to_string().contains("is an address of the host"));
    assert!(pageable.is_err());
    let long = long.err().ok_or("long")?.to_string();
    assert!(long.contains("to the end of the allocation"), "{long}");
    Ok(())
}

#[test]
fn memory_of_others_does_not_become_a_slice() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let Some(device) = crate::device() else { return Ok(()) };
    let stream = CudaContext::new(0)?.new_stream()?;
    let memory = stream.clone_htod(&[1_u32; 4])?;
    stream.synchronize()?;
    let address = memory.device_ptr(&stream).0;
    // SAFETY: the slice has 4 elements, its stream is idle, and nobody else uses it.
    let x = unsafe { Buffer::<u32>::from_raw_parts(&device, address, 4, memory) }?;
    let refused = x.into_cuda_slice(&stream).err().ok_or("taken")?.to_string();
    assert!(refused.contains("`from_raw_parts`"), "{refused}");
    Ok(())
}
