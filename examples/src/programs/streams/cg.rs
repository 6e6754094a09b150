//! `cg`: five launches a pass, after which the host reads the residual.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch, wide};

/// A symmetric positive definite matrix in CSR form and a right side.
pub struct Cg {
    stream: Stream,
    kernels: Kernels,
    value: CudaSlice<f64>,
    column: CudaSlice<u32>,
    row: CudaSlice<u32>,
    b: CudaSlice<f64>,
    x: CudaSlice<f64>,
    r: CudaSlice<f64>,
    p: CudaSlice<f64>,
    q: CudaSlice<f64>,
    rr: CudaSlice<f64>,
    new: CudaSlice<f64>,
    pq: CudaSlice<f64>,
    tolerance: f64,
}

struct Kernels {
    start: CudaFunction,
    spmv: CudaFunction,
    dot: CudaFunction,
    correct: CudaFunction,
    turn: CudaFunction,
}

impl Cg {
    /// The matrix as values, columns and rows.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(
        device: &Device,
        (value, column, row): (&[f64], &[u32], &[u32]),
        right: &[f64],
        tolerance: f64,
    ) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let kernels = Kernels {
            start: with.kernel("start")?,
            spmv: with.kernel("spmv")?,
            dot: with.kernel("dot")?,
            correct: with.kernel("correct")?,
            turn: with.kernel("turn")?,
        };
        let stream = &with.stream;
        let zeros = || stream.alloc_zeros::<f64>(right.len());
        let one = || stream.alloc_zeros::<f64>(1);
        Ok(Some(Self {
            value: stream.clone_htod(value)?,
            column: stream.clone_htod(column)?,
            row: stream.clone_htod(row)?,
            b: stream.clone_htod(right)?,
            x: zeros()?,
            r: zeros()?,
            p: zeros()?,
            q: zeros()?,
            rr: one()?,
            new: one()?,
            pq: one()?,
            stream: with,
            kernels,
            tolerance,
        }))
    }

    fn pass(&mut self, n: u32) -> Result {
        let (stream, kernels) = (&self.stream.stream, &self.kernels);
        let (all, some) = (wide(n), wide(n.min(256 * 256)));
        launch!(stream, kernels.spmv, all, &self.value, &self.column, &self.row, &self.p, &mut self.q, &n);
        stream.memset_zeros(&mut self.pq)?;
        launch!(stream, kernels.dot, some, &self.p, &self.q, &mut self.pq, &n);
        launch!(stream, kernels.correct, all, &self.rr, &self.pq, &self.p, &self.q, &mut self.x, &mut self.r, &n);
        stream.memset_zeros(&mut self.new)?;
        launch!(stream, kernels.dot, some, &self.r, &self.r, &mut self.new, &n);
        launch!(stream, kernels.turn, all, &self.new, &self.rr, &self.r, &mut self.p, &n);
        Ok(stream.memcpy_dtod(&self.new, &mut self.rr)?)
    }
}

impl Launches for Cg {
    fn run(&mut self) -> Result {
        let n = u32::try_from(self.b.len())?;
        let (stream, kernels) = (&self.stream.stream, &self.kernels);
        launch!(stream, kernels.start, wide(n), &self.b, &mut self.x, &mut self.r, &mut self.p, &n);
        stream.memset_zeros(&mut self.rr)?;
        launch!(stream, kernels.dot, wide(n.min(256 * 256)), &self.r, &self.r, &mut self.rr, &n);
        let mut squared = [0.0];
        for _ in 0..10_000 {
            self.stream.stream.memcpy_dtoh(&self.rr, &mut squared)?;
            self.stream.stream.synchronize()?;
            if squared[0] <= self.tolerance {
                break;
            }
            self.pass(n)?;
        }
        Ok(self.stream.stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.x)?)
    }
}
