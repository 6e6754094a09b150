//! `speculative`: the launches of a round, after which the host reads how many sequences go on.

use cudarc::driver::{CudaFunction, CudaSlice};
use graph_runtime::Device;

use super::super::Result;
use super::{Launches, SOURCE, Stream, launch, wide};

/// Two models, and sequences.
pub struct Speculative {
    stream: Stream,
    kernels: Kernels,
    target: CudaSlice<f32>,
    draft: CudaSlice<f32>,
    text: CudaSlice<u32>,
    position: CudaSlice<u32>,
    guess: CudaSlice<u32>,
    place: CudaSlice<u32>,
    right: CudaSlice<u32>,
    live: CudaSlice<u32>,
    length: u32,
    drafted: u32,
}

struct Kernels {
    begin: CudaFunction,
    step: CudaFunction,
    accept: CudaFunction,
}

impl Speculative {
    /// The rows of the target and of the draft, the sequences; how many, how long, and how much is drafted.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn new(
        device: &Device,
        [target, draft]: [&[f32]; 2],
        text: &[u32],
        [sequences, length, drafted]: [usize; 3],
    ) -> Result<Option<Self>> {
        let Some(with) = Stream::of(device, SOURCE)? else { return Ok(None) };
        let kernels =
            Kernels { begin: with.kernel("begin")?, step: with.kernel("step")?, accept: with.kernel("accept")? };
        let stream = &with.stream;
        let zeros = |count| stream.alloc_zeros::<u32>(count);
        let looked_at = (drafted + 1) * sequences;
        Ok(Some(Self {
            target: stream.clone_htod(target)?,
            draft: stream.clone_htod(draft)?,
            text: stream.clone_htod(text)?,
            position: zeros(sequences)?,
            guess: zeros(looked_at)?,
            place: zeros(looked_at)?,
            right: zeros(looked_at)?,
            live: zeros(1)?,
            length: u32::try_from(length)?,
            drafted: u32::try_from(drafted)?,
            stream: with,
            kernels,
        }))
    }

    fn round(&mut self, words: u32) -> Result {
        let (stream, kernels, length, drafted) = (&self.stream.stream, &self.kernels, &self.length, &self.drafted);
        let (all, batch) = (u32::try_from(self.guess.len())?, self.position.len());
        let n = u32::try_from(batch)?;
        let (text, position, live) = (&mut self.text, &mut self.position, &mut self.live);
        let (guess, place, right) = (&mut self.guess, &mut self.place, &mut self.right);
        launch!(stream, kernels.begin, wide(n), &*text, &*position, &mut *guess, &mut *place, &n, length, drafted);
        for at in (0..batch * *drafted as usize).step_by(batch) {
            let (known, mut next) = guess.split_at_mut(at + batch);
            let (word, place) = (known.slice(at..), place.slice(at..));
            launch!(stream, kernels.step, wide(n), &self.draft, &word, &place, &mut next, &n, &words);
        }
        launch!(stream, kernels.step, wide(all), &self.target, &*guess, &*place, &mut *right, &all, &words);
        stream.memset_zeros(live)?;
        launch!(stream, kernels.accept, wide(n), &*guess, &*right, text, position, live, &n, length, drafted);
        Ok(())
    }
}

impl Launches for Speculative {
    fn run(&mut self) -> Result {
        let words = u32::try_from(self.target.len().isqrt())?;
        self.stream.stream.memset_zeros(&mut self.position)?;
        for _ in 0..self.length {
            self.round(words)?;
            if self.stream.stream.clone_dtoh(&self.live)?[0] == 0 {
                break;
            }
        }
        Ok(())
    }

    fn result(&self) -> Result<Vec<f64>> {
        Ok(self.stream.stream.clone_dtoh(&self.text)?.into_iter().map(f64::from).collect())
    }
}
