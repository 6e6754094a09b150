//! `jacobi`: the host reads after every second pass how far the solution moved.

use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, Stream, launch};

/// A dense system.
pub struct Jacobi {
    stream: Stream,
    sweep: CudaFunction,
    a: CudaSlice<f32>,
    b: CudaSlice<f64>,
    x: CudaSlice<f64>,
    next: CudaSlice<f64>,
    moved: CudaSlice<f64>,
    tolerance: f64,
}

impl Jacobi {
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, a: &[f32], b: &[f64], tolerance: f64) -> Result<Option<Self>> {
        let source = include_str!("../../../kernels/programs/jacobi.cu");
        let Some(stream) = Stream::of(device, source)? else { return Ok(None) };
        let zeros = |n| stream.stream.alloc_zeros::<f64>(n);
        let (x, next, moved) = (zeros(b.len())?, zeros(b.len())?, zeros(1)?);
        let (a, b) = (stream.stream.clone_htod(a)?, stream.stream.clone_htod(b)?);
        Ok(Some(Self { sweep: stream.kernel("sweep")?, stream, a, b, x, next, moved, tolerance }))
    }
}

impl Launches for Jacobi {
    fn run(&mut self) -> Result {
        let (stream, n) = (&self.stream.stream, u32::try_from(self.b.len())?);
        let warps = LaunchConfig { grid_dim: (n.div_ceil(8), 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        stream.memset_zeros(&mut self.x)?;
        let mut moved = [f64::MAX];
        while moved[0] > self.tolerance {
            for _ in 0..2 {
                stream.memset_zeros(&mut self.moved)?;
                launch!(stream, self.sweep, warps, &self.a, &self.b, &self.x, &mut self.next, &mut self.moved, &n);
                std::mem::swap(&mut self.x, &mut self.next);
            }
            stream.memcpy_dtoh(&self.moved, &mut moved)?;
            stream.synchronize()?;
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.x)?)
    }
}
