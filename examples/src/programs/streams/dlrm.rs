//! `dlrm`: a launch for each table, and three behind them.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;
use half::f16;

use super::super::Result;
use super::super::dlrm::Inputs;
use super::{Launches, SOURCE, Stream, launch, wide};

/// Numbers of a row.
const WIDTH: u32 = 64;
/// Vectors of a sample.
const VECTORS: u32 = 27;
/// Their pairs.
const PAIRS: u32 = VECTORS * (VECTORS - 1) / 2;

/// Rows, and those that the samples look up.
struct Table {
    rows: CudaSlice<u16>,
    index: CudaSlice<u32>,
    offset: CudaSlice<u32>,
}

/// A model and a batch.
pub struct Dlrm {
    stream: Stream,
    kernels: [CudaFunction; 4],
    tables: Vec<Table>,
    dense: CudaSlice<u16>,
    mlp: [CudaSlice<u16>; 3],
    vectors: CudaSlice<f32>,
    z: CudaSlice<f32>,
    clicks: CudaSlice<f32>,
}

impl Dlrm {
    /// For all samples at once.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, inputs: &Inputs) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let stream = &with.stream;
        let halves = |numbers: &[f16]| stream.clone_htod(&numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
        let mut tables = Vec::new();
        for table in &inputs.tables {
            let (index, offset) = (stream.clone_htod(&table.index)?, stream.clone_htod(&table.offset)?);
            tables.push(Table { rows: halves(&table.rows)?, index, offset });
        }
        let [w, b, top] = &inputs.mlp;
        let samples = inputs.tables[0].offset.len() - 1;
        Ok(Some(Self {
            kernels: [with.kernel("bag")?, with.kernel("bottom")?, with.kernel("interact")?, with.kernel("click")?],
            tables,
            dense: halves(&inputs.dense)?,
            mlp: [halves(w)?, halves(b)?, halves(top)?],
            vectors: stream.alloc_zeros(samples * (VECTORS * WIDTH) as usize)?,
            z: stream.alloc_zeros(samples * PAIRS as usize)?,
            clicks: stream.alloc_zeros(samples)?,
            stream: with,
        }))
    }
}

impl Launches for Dlrm {
    fn run(&mut self) -> Result {
        let (stream, n) = (&self.stream.stream, u32::try_from(self.clicks.len())?);
        let ([bag, bottom, interact, click], [w, b, top]) = (&self.kernels, &self.mlp);
        let (vectors, z) = (&mut self.vectors, &mut self.z);
        for (t, table) in (0_u32..).zip(&self.tables) {
            launch!(stream, bag, wide(n * WIDTH), &table.rows, &table.index, &table.offset, &mut *vectors, &t, &n);
        }
        launch!(stream, bottom, wide(n * WIDTH), &self.dense, w, b, &mut *vectors, &n);
        launch!(stream, interact, wide(n * PAIRS), &*vectors, &mut *z, &n);
        launch!(stream, click, wide(n), &*vectors, &*z, top, &mut self.clicks, &n);
        Ok(stream.synchronize()?)
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.clicks)?.into_iter().map(f64::from).collect())
    }
}
