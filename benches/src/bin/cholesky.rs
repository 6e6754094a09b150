//! Tiled Cholesky with cuSOLVER and cuBLAS as a block: the Rust side of `cpp/cholesky.cu`, with the block of the example `cholesky`.
//!
//! The matrix is `a[i][j] = 1 / (1 + |i - j|)`, and 2 where `i = j`. Prints one JSON object per size and way; times are medians in
//! microseconds. Runs on `Device::best()`; on the CPU with small tiles.
#![expect(clippy::print_stdout, clippy::cast_precision_loss, reason = "prints its measurements, of numbers that fit")]

use std::time::Instant;

use benches::{launches, median, row};
use examples::programs::cholesky::{Cholesky, CholeskyArgs};
use graph_runtime::prelude::*;
use graph_runtime::{Blas, DeviceKind, Result, Solver};

/// How many workspaces the calls share, and what that is called.
const WAYS: [(usize, &str); 3] =
    [(1, "cuda_graph!: 1 workspace"), (8, "cuda_graph!: 8 workspaces"), (32, "cuda_graph!: 32 workspaces")];

fn element(i: usize, j: usize) -> f64 {
    if i == j { 2.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) }
}

fn tile(b: usize, i: usize, j: usize) -> Vec<f64> {
    (0..b * b).map(|at| element(i * b + at / b, j * b + at % b)).collect()
}

/// Whether some elements of `L L'` are those of `A`.
fn right(graph: &Cholesky<'_>, tiles: usize, b: usize) -> Result<bool> {
    let mut lower = Vec::new();
    for i in 0..tiles {
        lower.push((0..=i).map(|j| graph.a(i, j)?.to_vec()).collect::<Result<Vec<_>>>()?);
    }
    let l = |i: usize, j: usize| lower[i / b][j / b][i % b * b + j % b];
    let close = |k: usize| {
        let (i, j) = (k * 7919 % (tiles * b), k * 104_729 % (tiles * b));
        let (i, j) = (i.max(j), i.min(j));
        let sum: f64 = (0..=j).map(|at| l(i, at) * l(j, at)).sum();
        (sum - element(i, j)).abs() < 1e-12 * (tiles * b) as f64
    };
    Ok((0..64).all(close))
}

fn factorise(device: &Device, tiles: usize, b: usize) -> Result<()> {
    let (blas, solver) = (&Blas::new(device)?, &Solver::new(device)?);
    let upload = |i: usize| (0..tiles).map(|j| device.buffer_from(&tile(b, i, j))).collect::<Result<Vec<_>>>();
    let from = (0..tiles).map(upload).collect::<Result<Vec<_>>>()?;
    for (slots, how) in WAYS {
        let zeros = |_| (0..tiles).map(|_| device.zeros(b * b)).collect::<Result<Vec<_>>>();
        let a = (0..tiles).map(zeros).collect::<Result<Vec<_>>>()?;
        let start = Instant::now();
        let mut graph = CholeskyArgs { from: &from, a, b, slots, blas, solver }.build(device)?;
        let build = start.elapsed();
        graph.launch()?;
        graph.synchronize()?;
        let [cpu, end] = launches(&mut graph, 21, |graph| graph.launch(), |graph| graph.synchronize())?;
        let figures = [("build", median([build])), ("cpu", median(cpu)), ("end", median(end))];
        println!(
            "{}",
            row("cholesky", &format!("{tiles} x {tiles} tiles of {b}"), how, &figures, right(&graph, tiles, b)?)
        );
    }
    Ok(())
}

fn main() -> Result<()> {
    let device = Device::best()?;
    let large = matches!(device.kind(), DeviceKind::Cuda(_));
    for (tiles, b) in if large { vec![(16, 64), (16, 128), (8, 512)] } else { vec![(4, 8)] } {
        factorise(&device, tiles, b)?;
    }
    Ok(())
}
