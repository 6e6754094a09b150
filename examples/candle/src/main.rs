//! candle's tensors as inputs of a graph, without a copy: candle multiplies matrices, the graph scales the rows, candle checks it.
//!
//! candle allocates anew in each operation, so each tensor is bound anew. A tensor's memory stays as long as a buffer made of it, because
//! the buffer owns a clone of the tensor.

use std::io::Write as _;

#[cfg(feature = "cuda")]
use candle_core::cuda_backend::cudarc::driver::DevicePtr as _;
use candle_core::{Storage, Tensor};
use graph_runtime::prelude::*;

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

cuda_graph! {
    /// Divides each row by the root of its mean square.
    graph Normalise(x: &[f32; (rows, width)], y: &out [f32; (rows, width)], rows: usize, width: usize) {
        let scale: [f32; rows];
        kernel for r in 0..rows {
            let mut sum = 0.0;
            for i in 0..width { sum += x[(r, i)] * x[(r, i)]; }
            scale[r] = 1.0 / (sum / width as f32 + 1e-5).sqrt();
        }
        kernel for (r, i) in (0..rows, 0..width) { y[(r, i)] = x[(r, i)] * scale[r]; }
    }
}

const ROWS: usize = 6;
const WIDTH: usize = 64;
const LAYERS: usize = 5;

fn main() -> Result {
    let candle = candle_core::Device::cuda_if_available(0)?;
    let device = if candle.is_cuda() { Device::cuda(0)? } else { Device::cpu() };
    let worst = layers(&candle, &device)?;
    writeln!(std::io::stdout(), "{LAYERS} layers on {}, largest error {worst:.1e}", device.name())?;
    if worst < 1e-5 { Ok(()) } else { Err("the rows are not those that candle computes".into()) }
}

/// Layers of a product by candle and rows scaled by the graph: how far these are from what candle's operations give.
fn layers(candle: &candle_core::Device, device: &Device) -> Result<f32> {
    let weights = Tensor::rand(-1.0_f32, 1.0, (WIDTH, WIDTH), candle)?;
    let mut x = Tensor::rand(-1.0_f32, 1.0, (ROWS, WIDTH), candle)?;
    let y = device.zeros(ROWS * WIDTH)?;
    let mut graph = NormaliseArgs { x: buffer(device, &x)?, y, rows: ROWS, width: WIDTH }.build(device)?;
    let mut worst = 0.0_f32;
    for _ in 0..LAYERS {
        graph.rebind_x(buffer(device, &x)?)?;
        graph.launch()?;
        let found = Tensor::from_vec(graph.y().to_vec()?, (ROWS, WIDTH), candle)?;
        worst = worst.max((&found - expected(&x)?)?.abs()?.max_all()?.to_scalar()?);
        x = found.matmul(&weights)?;
    }
    Ok(worst)
}

/// The rows by candle's operations.
fn expected(x: &Tensor) -> Result<Tensor> {
    let square = x.sqr()?.mean_keepdim(1)?;
    Ok(x.broadcast_div(&(square + 1e-5)?.sqrt()?)?)
}

/// A tensor's memory, which the buffer keeps. Not for others to call: they could write to it.
fn buffer(device: &Device, tensor: &Tensor) -> Result<Buffer<f32>> {
    let tensor = tensor.contiguous()?;
    // What candle has queued for the tensor is over then.
    tensor.device().synchronize()?;
    let address = {
        let (storage, layout) = tensor.storage_and_layout();
        address(&storage)? + (size_of::<f32>() * layout.start_offset()) as u64
    };
    let length = tensor.elem_count();
    // SAFETY: the tensor, which the buffer owns, has that many elements there, one behind the other, and all here only read them.
    Ok(unsafe { Buffer::from_raw_parts(device, address, length, tensor) }?)
}

/// Where the first element of a storage is.
fn address(storage: &Storage) -> Result<u64> {
    match storage {
        Storage::Cpu(memory) => Ok(memory.as_slice::<f32>()?.as_ptr().expose_provenance() as u64),
        #[cfg(feature = "cuda")]
        Storage::Cuda(memory) => {
            let slice = memory.as_cuda_slice::<f32>()?;
            let stream = slice.stream().clone();
            let (address, _recorded) = slice.device_ptr(&stream);
            Ok(address)
        }
        _ => Err("the tensor is neither on the CPU nor on a CUDA device".into()),
    }
}

#[cfg(test)]
mod tests;
