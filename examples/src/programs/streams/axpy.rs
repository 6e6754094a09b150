//! `axpy`: one launch.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch, wide};

/// `y += a x`
pub struct Axpy {
    stream: Stream,
    kernel: CudaFunction,
    a: f64,
    x: CudaSlice<f64>,
    y: CudaSlice<f64>,
}

impl Axpy {
    /// `x` and `y` are the same numbers.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, a: f64, numbers: &[f64]) -> Result<Option<Self>> {
        let Some(stream) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let (x, y) = (stream.stream.clone_htod(numbers)?, stream.stream.clone_htod(numbers)?);
        Ok(Some(Self { kernel: stream.kernel("axpy")?, stream, a, x, y }))
    }
}

impl Launches for Axpy {
    fn run(&mut self) -> Result {
        let n = u32::try_from(self.x.len())?;
        launch!(self.stream.stream, self.kernel, wide(n), &self.x, &mut self.y, &self.a, &n);
        Ok(self.stream.stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.y)?)
    }
}
