//! NVIDIA's `jacobiCudaGraphs`: Jacobi's method until nothing moves, with the loop on the device.

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program = Program {
    name: "jacobi",
    about: "a dense system by Jacobi's method, looping on the device (jacobiCudaGraphs)",
    run,
};

/// One warp for each row.
#[cuda_module("kernels/programs/jacobi.cu")]
unsafe mod k {
    pub fn sweep(a: &[f32; n * n], b: &[f64; n], x: &[f64; n], next: Out<[f64; n]>, moved: Atomic<[f64; 1]>, n: u32) {
        let n = n as usize;
        for (i, row) in a.chunks_exact(n).enumerate() {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| f64::from(*a) * x).sum();
            let diagonal = f64::from(row[i]);
            next[i] = (b[i] - (sum - diagonal * x[i])) / diagonal;
            moved.fetch_add(0, (next[i] - x[i]).abs());
        }
    }

    pub fn distance_from_one(x: &[f64; n], sum: Atomic<[f64; 1]>, n: u32) {
        sum.fetch_add(0, x.iter().map(|x| (x - 1.0).abs()).sum());
    }
}

cuda_graph! {
    /// Solves `A x = b` for a diagonally dominant `A`; `error` is the distance from the solution (1, …, 1).
    pub graph Jacobi(
        a: &[f32; n * n],
        b: &[f64; n],
        x: &mut [f64; n],
        error: &out [f64; 1],
        tolerance: f64,
        n: usize,
        passes: u32,
    ) {
        let next: [f64; n];
        let moved: [f64; 1];
        'solve: loop limit passes every 2 {
            moved[0] = 0.0;
            k::sweep<<<n.div_ceil(8), 256>>>(&a, &b, &x, &out next, &atomic moved, n as u32);
            swap(&mut x, &mut next);
            if moved[0] <= tolerance { break; }
        }
        error[0] = 0.0;
        k::distance_from_one<<<n.div_ceil(256), 256>>>(&x, &atomic error, n as u32);
    }
}

const SIZE: usize = 512;

fn run(device: &Device, report: &mut Report) -> Result {
    let mut a = uniform(2, SIZE * SIZE);
    for i in 0..SIZE {
        a[i * SIZE + i] = 512.0;
    }
    let right: Vec<f64> = a.chunks_exact(SIZE).map(|row| row.iter().copied().map(f64::from).sum()).collect();
    let (tolerance, n, passes) = (1e-9, SIZE, 1000);
    let launches = streams::jacobi::Jacobi::new(device, &a, &right, tolerance)?;
    let launches = report.checked(launches, &[1.0; SIZE], 1e-9)?;
    let (a, b) = (device.buffer_from(&a)?, device.buffer_from(&right)?);
    let (mut x, mut error) = (device.zeros(SIZE)?, device.zeros(1)?);
    let arguments = JacobiArgs { a: &a, b: &b, x: &mut x, error: &mut error, tolerance, n, passes };
    let mut graph = arguments.build(device)?;
    graph.launch()?;
    report.equal("ended by its condition", &graph.exit(Jacobi::SOLVE)?, &Exit::Condition);
    report.close("the solution", &graph.x().to_vec()?, &[1.0; SIZE], 1e-9);
    report.close("its distance from (1, …, 1)", &graph.error().to_vec()?, &[0.0], 1e-9);
    report.time_beside("to convergence", launches, || {
        graph.x_mut()?.write_from(&[0.0; SIZE])?;
        graph.launch()?;
        graph.synchronize()
    })
}
