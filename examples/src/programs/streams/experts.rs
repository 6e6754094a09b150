//! `experts`: the host reads which expert each token has, and launches those that have any.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;

use super::super::Result;
use super::super::experts::{D, E, H};
use super::{Launches, SOURCE, Stream, launch, wide};

/// A mixture of experts, and tokens.
pub struct Experts {
    stream: Stream,
    kernels: Kernels,
    /// Of each expert, up and down.
    weights: Vec<[CudaSlice<f32>; 2]>,
    gate: CudaSlice<f32>,
    tokens: Vec<f32>,
    x: CudaSlice<f32>,
    score: CudaSlice<f32>,
    top: CudaSlice<u32>,
    hidden: CudaSlice<f32>,
    y: CudaSlice<f32>,
    results: Vec<f32>,
    at_once: bool,
}

struct Kernels {
    layer: CudaFunction,
    largest: CudaFunction,
    rows_of: CudaFunction,
}

impl Experts {
    /// All tokens at once, or one by one.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(
        device: &Device,
        tokens: &[f32],
        gate: &[f32],
        weights: &[[Vec<f32>; 2]],
        at_once: bool,
    ) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let kernels = Kernels {
            layer: with.kernel("layer")?,
            largest: with.kernel("largest")?,
            rows_of: with.kernel("rows_of")?,
        };
        let stream = &with.stream;
        let n = if at_once { tokens.len() / D } else { 1 };
        let expert = |[up, down]: &[Vec<f32>; 2]| Ok([stream.clone_htod(up)?, stream.clone_htod(down)?]);
        Ok(Some(Self {
            weights: weights.iter().map(expert).collect::<Result<_>>()?,
            gate: stream.clone_htod(gate)?,
            tokens: tokens.to_vec(),
            x: stream.clone_htod(&tokens[..n * D])?,
            score: stream.alloc_zeros(n * E)?,
            top: stream.alloc_zeros(n)?,
            hidden: stream.alloc_zeros(n * H)?,
            y: stream.alloc_zeros(n * D)?,
            results: Vec::new(),
            stream: with,
            kernels,
            at_once,
        }))
    }

    /// The expert of each of `n` tokens.
    fn choose(&mut self, n: u32) -> Result<Vec<u32>> {
        let (stream, kernels, (d, e)) = (&self.stream.stream, &self.kernels, (D as u32, E as u32));
        launch!(stream, kernels.layer, wide(n * e), &self.x, &self.gate, &mut self.score, &n, &d, &e, &0_u32);
        launch!(stream, kernels.largest, wide(n), &self.score, &mut self.top, &n, &e);
        Ok(stream.clone_dtoh(&self.top)?)
    }

    fn all(&mut self) -> Result {
        let n = u32::try_from(self.top.len())?;
        let chosen = self.choose(n)?;
        let (stream, kernel, sizes) = (&self.stream.stream, &self.kernels.rows_of, [D as u32, H as u32]);
        for (expert, [up, down]) in (0..).zip(&self.weights) {
            if chosen.contains(&expert) {
                let (hidden, top, [outer, inner]) = (&mut self.hidden, &self.top, &sizes);
                let (up_to, down_to) = (wide(n * inner), wide(n * outer));
                launch!(stream, *kernel, up_to, &self.x, up, &mut *hidden, &n, outer, inner, &1_u32, top, &expert);
                launch!(stream, *kernel, down_to, &*hidden, down, &mut self.y, &n, inner, outer, &0_u32, top, &expert);
            }
        }
        Ok(stream.synchronize()?)
    }

    fn one(&mut self, token: usize) -> Result {
        self.stream.stream.memcpy_htod(&self.tokens[token * D..][..D], &mut self.x)?;
        let chosen = self.choose(1)?[0] as usize;
        let (stream, layer, (d, h)) = (&self.stream.stream, &self.kernels.layer, (D as u32, H as u32));
        let [up, down] = &self.weights[chosen];
        launch!(stream, *layer, wide(h), &self.x, up, &mut self.hidden, &1_u32, &d, &h, &1_u32);
        launch!(stream, *layer, wide(d), &self.hidden, down, &mut self.y, &1_u32, &h, &d, &0_u32);
        self.results.extend(stream.clone_dtoh(&self.y)?);
        Ok(())
    }
}

impl Launches for Experts {
    fn run(&mut self) -> Result {
        self.results.clear();
        if self.at_once {
            return self.all();
        }
        (0..self.tokens.len() / D).try_for_each(|token| self.one(token))
    }

    fn result(&self) -> Result<Vec<f64>> {
        let results = if self.at_once { self.stream.stream.clone_dtoh(&self.y)? } else { self.results.clone() };
        Ok(results.into_iter().map(f64::from).collect())
    }
}
