//! Cholesky's factorisation by tiles, with cuSOLVER and cuBLAS: CUDASTF's `07-cholesky`.
//!
//! There the same calls are functions that declare their accesses and unpack their arguments, behind a class that gives out tiles: some
//! 170 lines of code for `PDPOTRF` and what it calls, beside the class. Here it is the block below, 48 lines, forms for the CPU included.
//!
//! Calls that share a workspace wait for each other, so there are `slots` of them, in turn: with one, everything runs one after the other,
//! as on a stream; with eight, so many run at once where the tiles allow it. Tiles of a list are told apart when the graph is built.

use graph_runtime::prelude::*;
use graph_runtime::{Blas, Op, Side, Solver, Triangle};

use super::{Program, Reference, Report, Result, dense, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "cholesky", about: "Cholesky's factorisation by tiles, with cuSOLVER and cuBLAS (CUDASTF)", run };

cuda_graph! {
    /// The tiles of `from` on and below the diagonal are those of `A`; those of `a` become those of `L`, where `A = L L'`.
    pub graph Cholesky(
        from: [[&[f64; b * b]]],
        a: [[&mut [f64; b * b]]],
        b: usize,
        slots: usize,
        blas: &Blas,
        solver: &Solver,
    ) {
        let ws: [[u8; solver.potrf_bytes(b).max(blas.workspace_bytes())]; slots];
        for i in 0..a.len() {
            for j in 0..i + 1 { copy(&from[i][j], &out a[i][j]); }
        }
        for k in 0..a.len() {
            let info: [i32; 1];
            capture(
                &mut a[k][k], &out ws[k % slots], &out info,
                |s, akk, ws, info| solver.potrf(s, b, Triangle::Lower, akk, ws, info),
                cpu = |akk, _, info| info[0] = dense::factorise(b, akk)
            );
            assert!(info[0] == 0, "tile {k}: not positive definite");
            for i in k + 1..a.len() {
                capture(
                    &a[k][k], &mut a[i][k], &out ws[i % slots],
                    |s, l, x, ws| blas.on(s, ws).trsm([b, b], Side::Right, Triangle::Lower, Op::T, 1.0, l, x),
                    cpu = |l, x, _| dense::solve(b, l, x)
                );
                for j in k + 1..i {
                    capture(
                        &a[i][k], &a[j][k], &mut a[i][j], &out ws[(i + j) % slots],
                        |s, x, y, c, ws| blas.on(s, ws).gemm([b, b, b], [Op::N, Op::T], -1.0, x, y, 1.0, c),
                        cpu = |x, y, c, _| dense::subtract_product(b, x, y, c)
                    );
                }
                capture(
                    &a[i][k], &mut a[i][i], &out ws[i % slots],
                    |s, x, c, ws| blas.on(s, ws).syrk([b, b], Triangle::Lower, Op::N, -1.0, x, 1.0, c),
                    cpu = |x, c, _| dense::subtract_square(b, x, c)
                );
            }
        }
    }
}

const TILES: usize = 6;
const TILE: usize = 16;
const SIZE: usize = TILES * TILE;

/// The matrix of `references/programs/cholesky.py`, by rows.
fn matrix() -> Vec<f64> {
    let x: Vec<f64> = uniform(1200, SIZE * SIZE).into_iter().map(f64::from).collect();
    let element = |i: usize, j: usize| f64::midpoint(x[i * SIZE + j], x[j * SIZE + i]) + if i == j { 8.0 } else { 0.0 };
    (0..SIZE * SIZE).map(|at| element(at / SIZE, at % SIZE)).collect()
}

/// Its tiles, by rows of tiles: those above the diagonal are not looked at.
fn tiles(a: &[f64]) -> Vec<Vec<Vec<f64>>> {
    let rows = |i: usize, j: usize| (0..TILE).flat_map(move |r| &a[(i * TILE + r) * SIZE + j * TILE..][..TILE]);
    (0..TILES).map(|i| (0..TILES).map(|j| rows(i, j).copied().collect()).collect()).collect()
}

/// The factor, by rows.
fn factor(graph: &Cholesky<'_>) -> graph_runtime::Result<Vec<f64>> {
    let mut factor = vec![0.0; SIZE * SIZE];
    for i in 0..TILES {
        for j in 0..=i {
            for (r, row) in graph.a(i, j)?.to_vec()?.chunks_exact(TILE).enumerate() {
                let known = if i == j { r + 1 } else { TILE };
                factor[(i * TILE + r) * SIZE + j * TILE..][..known].copy_from_slice(&row[..known]);
            }
        }
    }
    Ok(factor)
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/cholesky.json"))?;
    let (blas, solver) = (&Blas::new(device)?, &Solver::new(device)?);
    let upload = |row: &Vec<Vec<f64>>| row.iter().map(|tile| device.buffer_from(tile)).collect();
    let from = tiles(&matrix()).iter().map(upload).collect::<graph_runtime::Result<Vec<Vec<_>>>>()?;
    let mut a = tiles(&vec![0.0; SIZE * SIZE]).iter().map(upload).collect::<graph_runtime::Result<Vec<Vec<_>>>>()?;
    for (slots, what) in [(8, "with eight workspaces"), (1, "with one: one call after the other")] {
        let mut graph = CholeskyArgs { from: &from, a: &mut a, b: TILE, slots, blas, solver }.build(device)?;
        graph.launch()?;
        graph.synchronize()?;
        let factor = factor(&graph)?;
        let diagonal: Vec<f64> = factor.iter().copied().step_by(SIZE + 1).collect();
        report.close("the diagonal", &diagonal, reference.get("diagonal")?, 1e-12);
        report.close("the last row", &factor[SIZE * (SIZE - 1)..], reference.get("last_row")?, 1e-12);
        let norm = factor.iter().map(|x| x * x).sum::<f64>().sqrt();
        report.close("the norm", &[norm], reference.get("norm")?, 1e-12);
        report.time(what, || {
            graph.launch()?;
            graph.synchronize()
        })?;
    }
    Ok(())
}
