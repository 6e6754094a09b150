//! Weights from a formula, so that a script makes the same without a file.

use graph_runtime::prelude::*;
use half::f16;
use rayon::prelude::*;

use super::graph::{Cache, Generate, GenerateArgs, Layer, Linear, Model, Norm};
use crate::programs::{Result, uniform_at};

/// What the width and the number of heads leave open.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Transformer layers.
    pub layers: usize,
    /// The vocabulary.
    pub words: usize,
    /// The most tokens of a sequence.
    pub length: usize,
    /// Weights are in `-scale / 2 .. scale / 2`.
    pub scale: f32,
}

/// Blocks of the launch that makes the logits: one for each multiprocessor of an H200.
const BLOCKS: usize = 132;

/// `count` half-precision numbers around `offset`.
pub(super) fn numbers(seed: u64, count: usize, scale: f32, offset: f32) -> Vec<f16> {
    let number = |index| f16::from_f32(offset + uniform_at(seed, index) * scale);
    (0..count).into_par_iter().map(number).collect()
}

/// A model on a device.
pub struct Weights<const D: usize, const HEADS: usize> {
    shape: Shape,
    model: Model,
    layers: Vec<Layer>,
}

struct Maker<'d> {
    device: &'d Device,
    scale: f32,
}

impl Maker<'_> {
    fn scaled(&self, seed: u64, count: usize) -> Result<Buffer<f16>> {
        Ok(self.device.buffer_from(&numbers(seed, count, self.scale, 0.0))?)
    }

    fn linear(&self, seed: u64, inputs: usize, outputs: usize) -> Result<Linear> {
        Ok(Linear { w: self.scaled(seed, inputs * outputs)?, b: self.scaled(seed + 1, outputs)? })
    }

    fn norm(&self, seed: u64, d: usize) -> Result<Norm> {
        let buffer = |seed, offset| self.device.buffer_from(&numbers(seed, d, 0.2, offset));
        Ok(Norm { gain: buffer(seed, 1.0)?, bias: buffer(seed + 1, 0.0)? })
    }

    fn layer(&self, seed: u64, d: usize) -> Result<Layer> {
        Ok(Layer {
            first: self.norm(seed, d)?,
            second: self.norm(seed + 2, d)?,
            qkv: self.linear(seed + 4, d, 3 * d)?,
            out: self.linear(seed + 6, d, d)?,
            up: self.linear(seed + 8, d, 4 * d)?,
            down: self.linear(seed + 10, 4 * d, d)?,
        })
    }
}

impl<const D: usize, const HEADS: usize> Weights<D, HEADS> {
    /// All of them.
    ///
    /// # Errors
    /// If the device has too little memory.
    pub fn new(device: &Device, shape: Shape) -> Result<Self> {
        let maker = Maker { device, scale: shape.scale };
        let model = Model {
            wte: maker.scaled(100, shape.words * D)?,
            wpe: maker.scaled(101, shape.length * D)?,
            last: maker.norm(102, D)?,
        };
        let layers = (0..shape.layers as u64).map(|index| maker.layer(200 + 100 * index, D)).collect::<Result<_>>()?;
        Ok(Self { shape, model, layers })
    }

    /// Bytes that one token reads, keys and values apart.
    pub fn bytes(&self) -> usize {
        let layer = 12 * D * D + 13 * D;
        2 * (self.shape.words * D + self.shape.layers * layer + 2 * D)
    }

    /// A graph with a state of its own, for this many tokens a launch. It looks for the end behind each `between` of them.
    ///
    /// # Errors
    /// Those of the build.
    pub fn generate(
        &self,
        device: &Device,
        prompt: &[u32],
        passes: u32,
        between: u32,
    ) -> Result<Generate<'_, D, HEADS>> {
        let Shape { layers, words, length, .. } = self.shape;
        let room = || device.zeros::<f16>(length * D);
        let cache = (0..layers).map(|_| Ok(Cache { keys: room()?, values: room()? }));
        let mut tokens = vec![0; length];
        tokens[..prompt.len()].copy_from_slice(prompt);
        let arguments = GenerateArgs {
            model: &self.model,
            layers: &self.layers,
            cache: cache.collect::<Result<Vec<_>>>()?,
            tokens: device.buffer_from(&tokens)?,
            position: device.zeros(1)?,
            logits: device.zeros(words)?,
            prompt: prompt.len() as u32,
            passes,
            between,
            eos: u32::MAX,
            blocks: BLOCKS,
        };
        Ok(arguments.build::<D, HEADS>(device)?)
    }
}
