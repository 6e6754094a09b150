//! `memory_nodes`: copies and two launches, in memory that is allocated once.

use cudarc::driver::{CudaFunction, CudaSlice, PinnedHostSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, Stream, launch, wide};

/// Squares numbers and negates the squares.
pub struct SquareNegate {
    stream: Stream,
    square: CudaFunction,
    negate: CudaFunction,
    numbers: PinnedHostSlice<f32>,
    squares: PinnedHostSlice<f32>,
    negatives: PinnedHostSlice<f32>,
    x: CudaSlice<f32>,
    squared: CudaSlice<f32>,
    negated: CudaSlice<f32>,
}

impl SquareNegate {
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, numbers: &[f32]) -> Result<Option<Self>> {
        let source = include_str!("../../../kernels/programs/memory_nodes.cu");
        let Some(stream) = Stream::of(device, source)? else { return Ok(None) };
        let pinned = || super::pinned(&stream, numbers);
        let zeros = || stream.stream.alloc_zeros::<f32>(numbers.len());
        let (squares, negatives, numbers) = (pinned()?, pinned()?, pinned()?);
        let (x, squared, negated) = (zeros()?, zeros()?, zeros()?);
        let (square, negate) = (stream.kernel("square")?, stream.kernel("negate")?);
        Ok(Some(Self { stream, square, negate, numbers, squares, negatives, x, squared, negated }))
    }
}

impl Launches for SquareNegate {
    fn run(&mut self) -> Result {
        let (stream, n) = (&self.stream.stream, u32::try_from(self.x.len())?);
        stream.memcpy_htod(&self.numbers, &mut self.x)?;
        launch!(stream, self.square, wide(n), &self.x, &mut self.squared, &n);
        stream.memcpy_dtoh(&self.squared, &mut self.squares)?;
        launch!(stream, self.negate, wide(n), &self.squared, &mut self.negated, &n);
        stream.memcpy_dtoh(&self.negated, &mut self.negatives)?;
        Ok(stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.negatives.as_slice()?.iter().copied().map(f64::from).collect())
    }
}
