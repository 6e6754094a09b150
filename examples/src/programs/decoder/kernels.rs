//! The kernels of a decoding step. The bodies are what a machine without a GPU runs.
//!
//! The stream of activations goes from kernel to kernel as a sum of vectors of `D` elements, which the next kernel adds up. What the device
//! decides, a position or a token, is kept within its bounds: nothing checks it before the launch.

use graph_runtime::prelude::*;
use half::f16;

/// Elements of an attention head.
pub(super) const HEAD: usize = 64;
/// Blocks of a cluster.
pub(super) const CLUSTER: usize = 8;
/// Clusters among which `feed_forward` divides the wide layer, and so the number of vectors that it leaves.
pub(super) const CLUSTERS: usize = 16;
/// Threads of a block.
pub(super) const THREADS: u32 = 384;
/// Layer normalisation's guard against division by zero, as in GPT-2.
const EPSILON: f32 = 1e-5;

/// Half-precision weights, keys and values; single-precision activations. For devices from compute capability 9.0 on.
#[cuda_module("kernels/programs/decoder.cu")]
pub(super) unsafe mod k {
    /// Layer normalisation, attention with its projection, by a cluster for each head. `parts` add up to the stream; `sums` do again.
    #[block(384)]
    #[requires(D % HEAD == 0 && D <= 1024)]
    #[requires(grid.x as usize == D / HEAD * CLUSTER && length > 0)]
    #[waits(first)]
    #[early(qkv, qkv_bias, out, out_bias, gain, bias, keys, values, position)]
    pub fn attend<const D: usize, const PARTS: usize>(
        qkv: &[f16; 3 * D * D],
        qkv_bias: &[f16; 3 * D],
        out: &[f16; D * D],
        out_bias: &[f16; D],
        gain: &[f16; D],
        bias: &[f16; D],
        parts: &[f32; PARTS * D],
        keys: &mut [f16; D * length],
        values: &mut [f16; D * length],
        position: &[u32; 1],
        mut sums: Out<[f32; D / HEAD * D]>,
        length: u32,
    ) {
        let at = position[0].min(length - 1) as usize;
        let (weights, norm) = ([qkv, qkv_bias, out, out_bias], [gain, bias]);
        attend_to(&add_up(parts, D), weights, norm, [keys, values], &mut sums, at);
    }

    /// The same at the beginning of a pass. The stream is that of the token at `position`: of the prompt, or the best word. It is kept. Behind
    /// an end token come further ones.
    #[block(384)]
    #[requires(D % HEAD == 0 && D <= 1024)]
    #[requires(grid.x as usize == D / HEAD * CLUSTER && length > 0 && words > 0)]
    #[waits(first)]
    #[early(qkv, qkv_bias, out, out_bias, gain, bias, keys, values)]
    pub fn attend_word<const D: usize>(
        qkv: &[f16; 3 * D * D],
        qkv_bias: &[f16; 3 * D],
        out: &[f16; D * D],
        out_bias: &[f16; D],
        gain: &[f16; D],
        bias: &[f16; D],
        wte: &[f16; words * D],
        wpe: &[f16; length * D],
        bests: &[f32; blocks],
        best_words: &[u32; blocks],
        tokens: &mut [u32; length],
        mut token: Out<[u32; 1]>,
        keys: &mut [f16; D * length],
        values: &mut [f16; D * length],
        position: &[u32; 1],
        mut sums: Out<[f32; D / HEAD * D]>,
        prompt: u32,
        eos: u32,
        blocks: u32,
        words: u32,
        length: u32,
    ) {
        let _ = (blocks, length);
        token[0] = keep(tokens, best(bests, best_words), position[0], prompt, eos);
        let (at, word) = (position[0].min(length - 1) as usize, token[0].min(words - 1) as usize);
        let x: Vec<f32> = wte[word * D..][..D]
            .iter()
            .zip(&wpe[at * D..])
            .map(|(word, place)| word.to_f32() + place.to_f32())
            .collect();
        let (weights, norm) = ([qkv, qkv_bias, out, out_bias], [gain, bias]);
        attend_to(&x, weights, norm, [keys, values], &mut sums, at);
    }

    /// Layer normalisation, the wide layer and back; `down` has a row for each input. `parts` add up to the stream; `sums` do again.
    #[block(384)]
    #[requires(D % HEAD == 0 && D <= 1024)]
    #[requires(grid.x as usize == CLUSTERS * CLUSTER)]
    #[waits(first)]
    #[early(up, up_bias, down, down_bias, gain, bias)]
    pub fn feed_forward<const D: usize, const PARTS: usize>(
        up: &[f16; 4 * D * D],
        up_bias: &[f16; 4 * D],
        down: &[f16; 4 * D * D],
        down_bias: &[f16; D],
        gain: &[f16; D],
        bias: &[f16; D],
        parts: &[f32; PARTS * D],
        mut sums: Out<[f32; CLUSTERS * D]>,
    ) {
        let x = add_up(parts, D);
        let y = normalise(&x, gain, bias);
        let hidden: Vec<f32> = rows(up, D).zip(up_bias).map(|(row, b)| gelu(dot(row, &y) + b.to_f32())).collect();
        sums.fill(0.0);
        for (i, sum) in sums[..D].iter_mut().enumerate() {
            *sum = x[i] + down_bias[i].to_f32();
        }
        for (row, (down, hidden)) in rows(down, D).zip(hidden).enumerate() {
            let sums = &mut sums[row * CLUSTERS / (4 * D) * D..][..D];
            sums.iter_mut().zip(down).for_each(|(sum, down)| *sum += down.to_f32() * hidden);
        }
    }

    /// Layer normalisation and the logits. Each block leaves the best of its own. The next token is that of the next pass.
    #[block(384)]
    #[requires(D % HEAD == 0 && D <= 1024)]
    #[requires(grid.x == blocks && words > 0 && length > 0)]
    #[waits(first)]
    #[early(wte, gain, bias)]
    pub fn unembed<const D: usize, const PARTS: usize>(
        wte: &[f16; words * D],
        gain: &[f16; D],
        bias: &[f16; D],
        parts: &[f32; PARTS * D],
        logits: Out<[f32; words]>,
        mut bests: Out<[f32; blocks]>,
        mut best_words: Out<[u32; blocks]>,
        position: &mut [u32; 1],
        words: u32,
        blocks: u32,
        length: u32,
    ) {
        position[0] = position[0].min(length - 1) + 1;
        let y = normalise(&add_up(parts, D), gain, bias);
        bests.fill(f32::NEG_INFINITY);
        best_words.fill(u32::MAX);
        for (word, (logit, row)) in logits.iter_mut().zip(rows(wte, D)).enumerate() {
            *logit = dot(row, &y);
            let block = word % blocks as usize;
            if *logit > bests[block] {
                (bests[block], best_words[block]) = (*logit, word as u32);
            }
        }
    }

    /// As if the token at `position` had just been found.
    #[block(384)]
    #[requires(grid.x == 1 && length > 0)]
    pub fn resume(
        tokens: &[u32; length],
        position: &[u32; 1],
        mut bests: Out<[f32; blocks]>,
        mut best_words: Out<[u32; blocks]>,
        blocks: u32,
        length: u32,
    ) {
        let _ = blocks;
        bests.fill(0.0);
        best_words.fill(tokens[position[0].min(length - 1) as usize]);
    }

    /// The token behind the last one that was read.
    #[block(384)]
    #[requires(grid.x == 1 && length > 0)]
    pub fn pick(
        bests: &[f32; blocks],
        best_words: &[u32; blocks],
        tokens: &mut [u32; length],
        position: &[u32; 1],
        prompt: u32,
        eos: u32,
        blocks: u32,
        length: u32,
    ) {
        let _ = (blocks, length);
        keep(tokens, best(bests, best_words), position[0], prompt, eos);
    }
}

/// Of equal words the first.
fn best(bests: &[f32], words: &[u32]) -> u32 {
    let (mut best, mut word) = (f32::NEG_INFINITY, u32::MAX);
    for (other, from) in bests.iter().zip(words) {
        if *other > best || (*other >= best && *from < word) {
            (best, word) = (*other, *from);
        }
    }
    word
}

/// The token at `position`: what stands there already, the end behind the end, or this word.
fn keep(tokens: &mut [u32], word: u32, position: u32, prompt: u32, eos: u32) -> u32 {
    let at = position as usize;
    if position < prompt || at >= tokens.len() {
        return tokens[at.min(tokens.len() - 1)];
    }
    let ended = position > prompt && tokens[at - 1] == eos;
    tokens[at] = if ended { eos } else { word };
    tokens[at]
}

/// Layer normalisation, and attention of each head with its projection. `weights`: matrix and bias in front of it, and behind it.
fn attend_to(x: &[f32], weights: [&[f16]; 4], norm: [&[f16]; 2], kept: [&mut [f16]; 2], sums: &mut [f32], at: usize) {
    let (d, [qkv, qkv_bias, out, out_bias], [keys, values]) = (x.len(), weights, kept);
    let length = keys.len() / d;
    let y = normalise(x, norm[0], norm[1]);
    let fresh: Vec<f32> = rows(qkv, d).zip(qkv_bias).map(|(row, b)| dot(row, &y) + b.to_f32()).collect();
    for (head, sums) in sums.chunks_exact_mut(d).enumerate() {
        let part = |which: usize| &fresh[which * d + head * HEAD..][..HEAD];
        let (keys, values) = (&mut keys[head * length * HEAD..], &mut values[head * length * HEAD..]);
        store(part(1), &mut keys[at * HEAD..]);
        store(part(2), &mut values[at * HEAD..]);
        let mixed = attention(part(0), &keys[..(at + 1) * HEAD], &values[..(at + 1) * HEAD]);
        for (i, (sum, row)) in sums.iter_mut().zip(rows(out, d)).enumerate() {
            *sum = dot(&row[head * HEAD..][..HEAD], &mixed);
            if head == 0 {
                *sum += x[i] + out_bias[i].to_f32();
            }
        }
    }
}

fn rows(matrix: &[f16], columns: usize) -> impl Iterator<Item = &[f16]> {
    matrix.chunks_exact(columns)
}

fn dot(row: &[f16], x: &[f32]) -> f32 {
    row.iter().zip(x).map(|(w, x)| w.to_f32() * x).sum()
}

fn add_up(parts: &[f32], d: usize) -> Vec<f32> {
    (0..d).map(|i| parts[i..].iter().step_by(d).sum()).collect()
}

fn normalise(x: &[f32], gain: &[f16], bias: &[f16]) -> Vec<f32> {
    let count = x.len() as f32;
    let mean = x.iter().sum::<f32>() / count;
    let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
    let scale = 1.0 / (variance + EPSILON).sqrt();
    let weights = gain.iter().zip(bias);
    x.iter().zip(weights).map(|(x, (gain, bias))| (x - mean) * scale * gain.to_f32() + bias.to_f32()).collect()
}

/// GPT-2's approximation by `tanh`.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())
}

fn store(from: &[f32], to: &mut [f16]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = f16::from_f32(*from));
}

/// What one head sees: the values, mixed by how well their keys fit the query.
fn attention(query: &[f32], keys: &[f16], values: &[f16]) -> Vec<f32> {
    let scores: Vec<f32> = rows(keys, HEAD).map(|key| dot(key, query) / (HEAD as f32).sqrt()).collect();
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
    let total: f32 = weights.iter().sum();
    let mut mixed = vec![0.0; HEAD];
    for (weight, value) in weights.iter().zip(rows(values, HEAD)) {
        mixed.iter_mut().zip(value).for_each(|(mixed, value)| *mixed += weight / total * value.to_f32());
    }
    mixed
}
