//! The same work as launches in a stream, with cudarc: what programs are timed beside on a GPU.
//!
//! Each is what one writes without graphs: kernels of a file, one launch after another, and the host reads back what it decides by.

pub mod axpy;
pub mod cg;
pub mod count;
pub mod dlrm;
pub mod experts;
pub mod gcn;
pub mod heat;
pub mod images;
pub mod jacobi;
pub mod negate;
pub mod network;
pub mod reduce;
pub mod speculative;

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaStream, DeviceRepr, LaunchConfig, PinnedHostSlice, ValidAsZeroBits,
};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use graph_runtime::{Device, DeviceKind};

use super::Result;

/// The kernels of programs whose own are written in the block.
const SOURCE: &str = include_str!("../../../kernels/programs/streams.cu");

/// Work in a stream.
pub trait Launches {
    /// Does it once, and waits for its end.
    ///
    /// # Errors
    /// Those of the driver.
    fn run(&mut self) -> Result;

    /// What came out.
    ///
    /// # Errors
    /// Those of the driver.
    fn result(&self) -> Result<Vec<f64>>;
}

/// A stream and the kernels of a file.
struct Stream {
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
}

impl Stream {
    /// None if the device is no GPU.
    fn of(device: &Device, source: &str) -> Result<Option<Self>> {
        let DeviceKind::Cuda(ordinal) = device.kind() else { return Ok(None) };
        let context = CudaContext::new(ordinal)?;
        let options = CompileOptions { arch: Some("compute_80"), ..CompileOptions::default() };
        let module = context.load_module(compile_ptx_with_opts(source, options)?)?;
        Ok(Some(Self { stream: context.default_stream(), module }))
    }

    fn kernel(&self, name: &str) -> Result<CudaFunction> {
        Ok(self.module.load_function(name)?)
    }
}

/// Pinned memory of the host with these elements.
fn pinned<T: DeviceRepr + ValidAsZeroBits + Copy>(stream: &Stream, elements: &[T]) -> Result<PinnedHostSlice<T>> {
    // SAFETY: it is written before it is read.
    let mut memory = unsafe { stream.stream.context().alloc_pinned_with_flags(elements.len(), 0) }?;
    memory.as_mut_slice()?.copy_from_slice(elements);
    Ok(memory)
}

/// Blocks of 256 threads for `n` elements.
fn wide(n: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (n.div_ceil(256), 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 }
}

/// `launch!(stream, kernel, configuration, arguments…)`
macro_rules! launch {
    ($stream:expr, $kernel:expr, $configuration:expr, $($argument:expr),+ $(,)?) => {{
        use cudarc::driver::PushKernelArg as _;
        let mut launch = $stream.launch_builder(&$kernel);
        $(launch.arg($argument);)+
        // SAFETY: the arguments are those of the kernel, and the buffers are as long as it takes them to be.
        unsafe { launch.launch($configuration) }?;
    }};
}
use launch;
