//! Conjugate gradient on a sparse matrix until the residual is small: CUDASTF's example, and NVIDIA's `conjugateGradientCudaGraphs`.

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "cg", about: "conjugate gradient on a sparse matrix, in one launch (CUDASTF)", run };

cuda_graph! {
    /// Solves `A x = b` for a symmetric positive definite CSR matrix, until the squared residual is at most `tolerance`.
    pub graph Cg(
        value: &[f64; nz],
        column: &[u32; nz],
        row: &[u32; n + 1],
        b: &[f64; n],
        x: &out [f64; n],
        tolerance: f64,
    ) {
        let r: [f64; n];
        let p: [f64; n];
        let q: [f64; n];
        let rr: [f64; 1];
        let new: [f64; 1];
        let pq: [f64; 1];

        kernel for i in 0..n { x[i] = 0.0; r[i] = b[i]; p[i] = b[i]; }
        rr[0] = (0..n).map(|i| r[i] * r[i]).sum();
        'solve: while rr[0] > tolerance limit 10_000 {
            kernel for i in 0..n {
                let mut sum = 0.0;
                for k in row[i]..row[i + 1] { sum += value[k] * p[column[k]]; }
                q[i] = sum;
            }
            pq[0] = (0..n).map(|i| p[i] * q[i]).sum();
            kernel for i in 0..n { x[i] += rr[0] / pq[0] * p[i]; r[i] -= rr[0] / pq[0] * q[i]; }
            new[0] = (0..n).map(|i| r[i] * r[i]).sum();
            kernel for i in 0..n { p[i] = r[i] + new[0] / rr[0] * p[i]; }
            rr[0] = new[0];
        }
    }
}

/// Points of one side of the grid.
const SIDE: usize = 48;

/// A symmetric matrix by rows.
struct Csr {
    value: Vec<f64>,
    column: Vec<u32>,
    row: Vec<u32>,
}

/// Poisson's equation on a square: 4 on the diagonal, -1 for each neighbour.
fn poisson(side: usize) -> Csr {
    let mut matrix = Csr { value: Vec::new(), column: Vec::new(), row: vec![0] };
    for i in 0..side * side {
        let (x, y) = (i % side, i / side);
        let neighbours = [
            (y > 0).then(|| i - side),
            (x > 0).then(|| i - 1),
            Some(i),
            (x + 1 < side).then_some(i + 1),
            (y + 1 < side).then_some(i + side),
        ];
        for j in neighbours.into_iter().flatten() {
            matrix.value.push(if i == j { 4.0 } else { -1.0 });
            matrix.column.push(j as u32);
        }
        matrix.row.push(matrix.column.len() as u32);
    }
    matrix
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/cg.json"))?;
    let matrix = poisson(SIDE);
    let (value, column) = (device.buffer_from(&matrix.value)?, device.buffer_from(&matrix.column)?);
    let row = device.buffer_from(&matrix.row)?;
    let right: Vec<f64> = uniform(10, SIDE * SIDE).into_iter().map(f64::from).collect();
    let (b, mut x) = (device.buffer_from(&right)?, device.zeros(SIDE * SIDE)?);
    let arguments = CgArgs { value: &value, column: &column, row: &row, b: &b, x: &mut x, tolerance: 1e-20 };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    report.equal("ended by its condition", &graph.exit(Cg::SOLVE)?, &Exit::Condition);
    let found = graph.x().to_vec()?;
    let some: Vec<f64> = found.iter().copied().step_by(97).collect();
    report.close("every 97th unknown", &some, reference.get("every_97th")?, 1e-9);
    let norm = found.iter().map(|x| x * x).sum::<f64>().sqrt();
    report.close("the norm", &[norm], reference.get("norm")?, 1e-9);
    let launches = streams::cg::Cg::new(device, (&matrix.value, &matrix.column, &matrix.row), &right, 1e-20)?;
    let launches = report.checked(launches, &found, 1e-9)?;
    report.time_beside("to convergence", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
