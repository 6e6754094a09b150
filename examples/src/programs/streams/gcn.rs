//! `gcn`: two launches for each layer.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch, wide};

/// Numbers of a node.
const F: usize = 16;

/// A network on one graph.
pub struct Gcn {
    stream: Stream,
    gather: CudaFunction,
    multiply: CudaFunction,
    row: CudaSlice<u32>,
    column: CudaSlice<u32>,
    x: CudaSlice<f32>,
    w: CudaSlice<f32>,
    h: CudaSlice<f32>,
    z: CudaSlice<f32>,
}

impl Gcn {
    /// Rows, columns, and what the nodes hold.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(
        device: &Device,
        (row, column, x): (Vec<u32>, Vec<u32>, Vec<f32>),
        weights: &[f32],
    ) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let stream = &with.stream;
        Ok(Some(Self {
            row: stream.clone_htod(&row)?,
            column: stream.clone_htod(&column)?,
            w: stream.clone_htod(weights)?,
            h: stream.alloc_zeros(x.len())?,
            z: stream.alloc_zeros(x.len())?,
            x: stream.clone_htod(&x)?,
            gather: with.kernel("gather")?,
            multiply: with.kernel("multiply")?,
            stream: with,
        }))
    }
}

impl Launches for Gcn {
    fn run(&mut self) -> Result {
        let (stream, n) = (&self.stream.stream, u32::try_from(self.x.len())?);
        stream.memcpy_dtod(&self.x, &mut self.h)?;
        for w in 0..self.w.len() / (F * F) {
            let w = self.w.slice(w * F * F..(w + 1) * F * F);
            launch!(stream, self.gather, wide(n), &self.row, &self.column, &self.h, &mut self.z, &n);
            launch!(stream, self.multiply, wide(n), &self.z, &w, &mut self.h, &n);
        }
        Ok(stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.h)?.into_iter().map(f64::from).collect())
    }
}
