//! `conditionals`: the host looks at the value before each pass.

use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch};

/// Counts down from ten.
pub struct CountDown {
    stream: Stream,
    kernel: CudaFunction,
    d: CudaSlice<u8>,
}

impl CountDown {
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device) -> Result<Option<Self>> {
        let Some(stream) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let d = stream.stream.alloc_zeros(1)?;
        Ok(Some(Self { kernel: stream.kernel("count_down")?, stream, d }))
    }
}

impl Launches for CountDown {
    fn run(&mut self) -> Result {
        let stream = &self.stream.stream;
        stream.memcpy_htod(&[10_u8], &mut self.d)?;
        let mut value = [0];
        for _ in 0..=u8::MAX {
            stream.memcpy_dtoh(&self.d, &mut value)?;
            stream.synchronize()?;
            if value[0] == 0 {
                break;
            }
            let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
            launch!(stream, self.kernel, one, &mut self.d);
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.d)?.into_iter().map(f64::from).collect())
    }
}
