//! The kernels of a decoding step. The bodies are what a machine without a GPU runs.
//!
//! What the device decides, a position or a token, is kept within its bounds: nothing checks it before the launch.

use graph_runtime::prelude::*;
use half::f16;

/// Layer normalisation's guard against division by zero, as in GPT-2.
const EPSILON: f32 = 1e-5;

/// Half-precision weights, single-precision activations.
#[cuda_module("kernels/programs/gpt2.cu")]
pub(super) unsafe mod k {
    #[block(256)]
    #[requires(grid.x * 256 >= d && words > 0 && length > 0)]
    pub fn embed(
        wte: &[f16; words * d],
        wpe: &[f16; length * d],
        tokens: &[u32; length],
        position: &[u32; 1],
        x: Out<[f32; d]>,
        d: u32,
        words: u32,
        length: u32,
    ) {
        let (d, at) = (d as usize, position[0].min(length - 1) as usize);
        let token = tokens[at].min(words - 1) as usize;
        let (word, place) = (&wte[token * d..][..d], &wpe[at * d..][..d]);
        for i in 0..d {
            x[i] = word[i].to_f32() + place[i].to_f32();
        }
    }

    #[block(32)]
    pub fn normalise(x: &[f32; d], gain: &[f32; d], bias: &[f32; d], y: Out<[f32; d]>, d: u32) {
        let count = d as f32;
        let mean = x.iter().sum::<f32>() / count;
        let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
        let scale = 1.0 / (variance + EPSILON).sqrt();
        for i in 0..d as usize {
            y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
        }
    }

    #[block(256)]
    #[requires(grid.x * 8 >= outputs)]
    pub fn linear<const GELU: i32>(
        w: &[f16; outputs * inputs],
        b: &[f16; outputs],
        x: &[f32; inputs],
        y: Out<[f32; outputs]>,
        inputs: u32,
        outputs: u32,
    ) {
        for (i, row) in w.chunks_exact(inputs as usize).enumerate() {
            let sum = dot(row, x) + b[i].to_f32();
            y[i] = if GELU == 0 { sum } else { gelu(sum) };
        }
    }

    #[block(256)]
    #[requires(grid.x * 8 >= outputs)]
    pub fn linear_add(
        w: &[f16; outputs * inputs],
        b: &[f16; outputs],
        x: &[f32; inputs],
        y: &mut [f32; outputs],
        inputs: u32,
        outputs: u32,
    ) {
        for (i, row) in w.chunks_exact(inputs as usize).enumerate() {
            y[i] += dot(row, x) + b[i].to_f32();
        }
    }

    #[block(32)]
    #[requires(size <= 128 && grid.x * size == d && length > 0)]
    pub fn attend(
        qkv: &[f32; 3 * d],
        keys: &mut [f32; length * d],
        values: &mut [f32; length * d],
        position: &[u32; 1],
        h: Out<[f32; d]>,
        d: u32,
        size: u32,
        length: u32,
    ) {
        let (d, size, at) = (d as usize, size as usize, position[0].min(length - 1) as usize);
        keys[at * d..][..d].copy_from_slice(&qkv[d..2 * d]);
        values[at * d..][..d].copy_from_slice(&qkv[2 * d..]);
        for first in (0..d).step_by(size) {
            let query = &qkv[first..][..size];
            let score = |past: usize| {
                let key = &keys[past * d + first..][..size];
                query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() / (size as f32).sqrt()
            };
            let scores: Vec<f32> = (0..=at).map(score).collect();
            let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weights: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
            let total: f32 = weights.iter().sum();
            for i in first..first + size {
                let mixed: f32 = weights.iter().enumerate().map(|(past, weight)| weight * values[past * d + i]).sum();
                h[i] = mixed / total;
            }
        }
    }

    #[block(256)]
    #[requires(grid.x * 8 >= words)]
    pub fn unembed(wte: &[f16; words * d], x: &[f32; d], logits: Out<[f32; words]>, d: u32, words: u32) {
        for (logit, row) in logits.iter_mut().zip(wte.chunks_exact(d as usize)) {
            *logit = dot(row, x);
        }
    }

    #[block(32)]
    pub fn pick(
        logits: &[f32; words],
        tokens: &mut [u32; length],
        position: &[u32; 1],
        token: Out<[u32; 1]>,
        words: u32,
        length: u32,
    ) {
        let mut best = 0;
        for word in 1..words as usize {
            if logits[word] > logits[best] {
                best = word;
            }
        }
        token[0] = best as u32;
        if position[0] + 1 < length {
            tokens[position[0] as usize + 1] = best as u32;
        }
    }
}

fn dot(row: &[f16], x: &[f32]) -> f32 {
    row.iter().zip(x).map(|(w, x)| w.to_f32() * x).sum()
}

/// GPT-2's approximation by `tanh`.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())
}
