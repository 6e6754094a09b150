//! `server`: copies and two launches for each request; the thread waits for each answer.

use cudarc::driver::{CudaFunction, CudaSlice, PinnedHostSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch, wide};

const SIZES: [u32; 3] = [24, 40, 8];

/// A network of two layers, and requests.
pub struct Network {
    stream: Stream,
    layer: CudaFunction,
    w: [CudaSlice<f32>; 2],
    input: PinnedHostSlice<f32>,
    output: PinnedHostSlice<f32>,
    x: CudaSlice<f32>,
    hidden: CudaSlice<f32>,
    y: CudaSlice<f32>,
    requests: Vec<Vec<f32>>,
    answers: Vec<f32>,
}

impl Network {
    /// Of at most 64 rows a request.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(device: &Device, w1: &[f32], w2: &[f32], requests: Vec<Vec<f32>>) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let stream = &with.stream;
        let [inputs, hidden, outputs] = SIZES.map(|size| 64 * size as usize);
        Ok(Some(Self {
            layer: with.kernel("layer")?,
            w: [stream.clone_htod(w1)?, stream.clone_htod(w2)?],
            input: super::pinned(&with, &vec![0.0; inputs])?,
            output: super::pinned(&with, &vec![0.0; outputs])?,
            x: stream.alloc_zeros(inputs)?,
            hidden: stream.alloc_zeros(hidden)?,
            y: stream.alloc_zeros(outputs)?,
            stream: with,
            requests,
            answers: Vec::new(),
        }))
    }
}

impl Launches for Network {
    fn run(&mut self) -> Result {
        let (stream, [inputs, hidden, outputs]) = (&self.stream.stream, SIZES);
        self.answers.clear();
        for request in &self.requests {
            let n = u32::try_from(request.len())? / inputs;
            self.input.as_mut_slice()?[..request.len()].copy_from_slice(request);
            stream.memcpy_htod(&self.input, &mut self.x)?;
            launch!(
                stream,
                self.layer,
                wide(n * hidden),
                &self.x,
                &self.w[0],
                &mut self.hidden,
                &n,
                &inputs,
                &hidden,
                &1_u32
            );
            launch!(
                stream,
                self.layer,
                wide(n * outputs),
                &self.hidden,
                &self.w[1],
                &mut self.y,
                &n,
                &hidden,
                &outputs,
                &0_u32
            );
            stream.memcpy_dtoh(&self.y, &mut self.output)?;
            stream.synchronize()?;
            self.answers.extend(&self.output.as_slice()?[..(n * outputs) as usize]);
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.answers.iter().copied().map(f64::from).collect())
    }
}
