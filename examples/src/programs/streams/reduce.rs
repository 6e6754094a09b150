//! `reduce`: a copy, two launches and a copy back; the host adds the total to its log when it has waited.

use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig, PinnedHostSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, Stream, launch};

/// The sum of numbers on the host.
pub struct Reduce {
    stream: Stream,
    first: CudaFunction,
    last: CudaFunction,
    numbers: PinnedHostSlice<f32>,
    x: CudaSlice<f32>,
    part: CudaSlice<f64>,
    sum: CudaSlice<f64>,
    log: Vec<f64>,
}

const BLOCKS: u32 = 256;

impl Reduce {
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, numbers: &[f32]) -> Result<Option<Self>> {
        let source = concat!("#define THREADS 512\n", include_str!("../../../kernels/programs/reduce.cu"));
        let Some(stream) = Stream::of(device, source)? else { return Ok(None) };
        let x = stream.stream.alloc_zeros(numbers.len())?;
        let (part, sum) = (stream.stream.alloc_zeros(BLOCKS as usize)?, stream.stream.alloc_zeros(1)?);
        let numbers = super::pinned(&stream, numbers)?;
        let (first, last) = (stream.kernel("reduce")?, stream.kernel("reduce_final")?);
        Ok(Some(Self { stream, first, last, numbers, x, part, sum, log: Vec::new() }))
    }
}

impl Launches for Reduce {
    fn run(&mut self) -> Result {
        let (stream, n) = (&self.stream.stream, u32::try_from(self.x.len())?);
        let blocks = |count| LaunchConfig { grid_dim: (count, 1, 1), block_dim: (512, 1, 1), shared_mem_bytes: 0 };
        stream.memcpy_htod(&self.numbers, &mut self.x)?;
        launch!(stream, self.first, blocks(BLOCKS), &self.x, &mut self.part, &n, &BLOCKS);
        launch!(stream, self.last, blocks(1), &self.part, &mut self.sum, &BLOCKS);
        let mut total = [0.0];
        stream.memcpy_dtoh(&self.sum, &mut total)?;
        stream.synchronize()?;
        self.log.extend(total);
        Ok(())
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.log.last().copied().into_iter().collect())
    }
}
