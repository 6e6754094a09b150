//! The same model in double precision, written down from its definition: one token at a time, without kernels, parts or buffers.

use half::f16;

use super::weights::numbers;
use super::{Generate, Shape, Weights, logits, tokens};
use graph_runtime::prelude::*;

/// Rows of numbers.
struct Matrix {
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    fn new(seed: u64, rows: usize, columns: usize, scale: f32) -> Self {
        Self { columns, values: wide(numbers(seed, rows * columns, scale, 0.0)) }
    }

    fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.columns..][..self.columns]
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        self.values.chunks_exact(self.columns).map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect()
    }

    fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.columns).map(|column| x.iter().enumerate().map(|(row, x)| self.row(row)[column] * x).sum()).collect()
    }
}

fn wide(numbers: Vec<f16>) -> Vec<f64> {
    numbers.into_iter().map(f64::from).collect()
}

struct Normalisation(Vec<f64>, Vec<f64>);

impl Normalisation {
    fn new(seed: u64, d: usize) -> Self {
        Self(wide(numbers(seed, d, 0.2, 1.0)), wide(numbers(seed + 1, d, 0.2, 0.0)))
    }

    fn of(&self, x: &[f64]) -> Vec<f64> {
        let count = x.len() as f64;
        let mean = x.iter().sum::<f64>() / count;
        let deviation = (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count + 1e-5).sqrt();
        (0..x.len()).map(|i| (x[i] - mean) / deviation * self.0[i] + self.1[i]).collect()
    }
}

struct Block {
    norms: [Normalisation; 2],
    qkv: (Matrix, Vec<f64>),
    out: (Matrix, Vec<f64>),
    up: (Matrix, Vec<f64>),
    down: (Matrix, Vec<f64>),
    /// By position: keys and values of all heads.
    seen: Vec<[Vec<f64>; 2]>,
}

impl Block {
    fn new(seed: u64, d: usize, scale: f32) -> Self {
        let bias = |seed, count| wide(numbers(seed, count, scale, 0.0));
        Self {
            norms: [Normalisation::new(seed, d), Normalisation::new(seed + 2, d)],
            qkv: (Matrix::new(seed + 4, 3 * d, d, scale), bias(seed + 5, 3 * d)),
            out: (Matrix::new(seed + 6, d, d, scale), bias(seed + 7, d)),
            up: (Matrix::new(seed + 8, 4 * d, d, scale), bias(seed + 9, 4 * d)),
            down: (Matrix::new(seed + 10, 4 * d, d, scale), bias(seed + 11, d)),
            seen: Vec::new(),
        }
    }

    fn apply(&mut self, x: &mut [f64], heads: usize) {
        let (d, size) = (x.len(), x.len() / heads);
        let qkv = sum(self.qkv.0.times(&self.norms[0].of(x)), &self.qkv.1);
        let kept = |part: usize| qkv[part * d..][..d].iter().map(|value| f64::from(f16::from_f64(*value))).collect();
        self.seen.push([kept(1), kept(2)]);
        let mut mixed = Vec::new();
        for head in 0..heads {
            let of = |vector: &[f64]| vector[head * size..][..size].to_vec();
            let fits = |[key, _]: &[Vec<f64>; 2]| dot(&of(key), &of(&qkv)) / (size as f64).sqrt();
            let weights: Vec<f64> = self.seen.iter().map(|seen| fits(seen).exp()).collect();
            let total: f64 = weights.iter().sum();
            let value = |i: usize| self.seen.iter().zip(&weights).map(|([_, value], w)| w * of(value)[i]).sum::<f64>();
            mixed.extend((0..size).map(|i| value(i) / total));
        }
        add(x, &sum(self.out.0.times(&mixed), &self.out.1));
        let gelu =
            |x: f64| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh());
        let hidden = sum(self.up.0.times(&self.norms[1].of(x)), &self.up.1);
        let hidden: Vec<f64> = hidden.into_iter().map(gelu).collect();
        add(x, &sum(self.down.0.transposed_times(&hidden), &self.down.1));
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum(mut a: Vec<f64>, b: &[f64]) -> Vec<f64> {
    add(&mut a, b);
    a
}

fn add(a: &mut [f64], b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

struct Gpt2 {
    words: Matrix,
    places: Matrix,
    blocks: Vec<Block>,
    last: Normalisation,
    heads: usize,
}

impl Gpt2 {
    fn new(shape: Shape, d: usize, heads: usize) -> Self {
        let Shape { layers, words, length, scale } = shape;
        Self {
            words: Matrix::new(100, words, d, scale),
            places: Matrix::new(101, length, d, scale),
            blocks: (0..layers as u64).map(|index| Block::new(200 + 100 * index, d, scale)).collect(),
            last: Normalisation::new(102, d),
            heads,
        }
    }

    /// The logits behind one more token.
    fn read(&mut self, token: u32, position: usize) -> Vec<f64> {
        let mut x = sum(self.words.row(token as usize).to_vec(), self.places.row(position));
        for block in &mut self.blocks {
            block.apply(&mut x, self.heads);
        }
        self.words.times(&self.last.of(&x))
    }
}

/// Token by token: the logits are those of the reference, and the next token is the best of them.
fn agrees<const D: usize, const HEADS: usize>(device: &Device, shape: Shape, prompt: &[u32]) {
    let weights = Weights::<D, HEADS>::new(device, shape).unwrap();
    let mut step = weights.generate(device, prompt, 1, 1).unwrap();
    let mut whole = weights.generate(device, prompt, shape.length as u32, 2).unwrap();
    let mut reference = Gpt2::new(shape, D, HEADS);
    let mut read = vec![prompt[0]];
    for position in 0..shape.length - 1 {
        let expected = reference.read(read[position], position);
        step.launch().unwrap();
        let found = logits(&step).unwrap();
        let worst = found.iter().zip(&expected).map(|(found, expected)| (f64::from(*found) - expected).abs());
        assert!(worst.fold(0.0, f64::max) < 1e-3, "position {position}");
        let best = (0..shape.words).max_by(|a, b| expected[*a].total_cmp(&expected[*b])).unwrap() as u32;
        read.push(prompt.get(position + 1).copied().unwrap_or(best));
        assert_eq!(tokens(&step).unwrap()[..=position + 1], read);
    }
    whole.launch().unwrap();
    assert_eq!(tokens(&whole).unwrap(), read);
    assert_eq!(whole.iterations(Generate::<'_, D, HEADS>::GENERATE).unwrap(), shape.length as u64);
    assert!(read.iter().any(|token| *token != read[shape.length - 1]), "it says more than one thing");
}

#[test]
fn one_head_and_three_layers() {
    let shape = Shape { layers: 3, words: 61, length: 12, scale: 0.3 };
    agrees::<64, 1>(&Device::cpu(), shape, &[7]);
    agrees::<64, 1>(&Device::cpu().shuffled(1), shape, &[7, 3, 3, 60]);
}

#[test]
fn two_heads_and_two_layers() {
    agrees::<128, 2>(&Device::cpu(), Shape { length: 10, ..super::TINY }, &super::PROMPT);
}

/// Skipped without a CUDA device, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#[test]
fn on_a_gpu() {
    match Device::cuda(0) {
        Ok(device) => {
            agrees::<64, 1>(&device, Shape { layers: 3, words: 61, length: 12, scale: 0.3 }, &[7, 3, 3, 60]);
            agrees::<256, 4>(&device, Shape { layers: 2, words: 1001, length: 100, scale: 0.12 }, &[1000, 3, 500]);
            agrees::<768, 12>(&device, Shape { layers: 2, words: 3001, length: 20, scale: 0.07 }, &[1, 3000, 10]);
        }
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => println!("skipped: {error}"),
    }
}
