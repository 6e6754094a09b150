// A slice of cudarc's becomes a buffer by value: nobody else has it while graphs use it.
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};
use graph_runtime::prelude::*;

fn converted(stream: &Arc<CudaStream>, slice: CudaSlice<f32>) -> Result<Buffer<f32>> {
    let buffer = Buffer::from_cuda_slice(slice)?;
    stream.clone_dtoh(&slice).ok();
    Ok(buffer)
}

fn main() {}
