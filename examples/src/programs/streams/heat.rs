//! `heat`: one launch for each step; the host knows how many there are.

use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch};

/// A square with a fixed border.
pub struct Heat {
    stream: Stream,
    kernel: CudaFunction,
    u: CudaSlice<f64>,
    v: CudaSlice<f64>,
    c: f64,
    steps: u32,
    side: u32,
}

impl Heat {
    /// Of `side` by `side` elements; an even number of steps.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, u: &[f64], side: usize, c: f64, steps: u32) -> Result<Option<Self>> {
        let Some(stream) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let (u, v) = (stream.stream.clone_htod(u)?, stream.stream.clone_htod(u)?);
        Ok(Some(Self { kernel: stream.kernel("heat")?, stream, u, v, c, steps, side: u32::try_from(side)? }))
    }
}

impl Launches for Heat {
    fn run(&mut self) -> Result {
        let (stream, inner) = (&self.stream.stream, self.side - 2);
        let inside =
            LaunchConfig { grid_dim: (inner.div_ceil(256), inner, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        stream.memcpy_dtod(&self.u, &mut self.v)?;
        for _ in 0..self.steps {
            launch!(stream, self.kernel, inside, &self.u, &mut self.v, &self.c, &self.side);
            std::mem::swap(&mut self.u, &mut self.v);
        }
        Ok(stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.u)?)
    }
}
