//! CUDASTF's heat equation in two dimensions: a stencil, back and forth between two buffers, with the loop on the device.

use std::f64::consts::PI;

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams};

/// This program.
pub const PROGRAM: Program =
    Program { name: "heat", about: "the heat equation by a stencil, looping on the device (CUDASTF)", run };

cuda_graph! {
    /// `steps` steps, a multiple of ten: so often is the end of the loop tested, since a test costs as much as two steps. The border stays.
    pub graph Heat(u: &mut [f64; (n, n)], c: f64, steps: u32, n: usize) {
        let v: [f64; (n, n)];
        copy(&u, &out v);
        loop limit steps every 10 {
            kernel for (i, j) in (1..n - 1, 1..n - 1) {
                v[(i, j)] = u[(i, j)] + c * (u[(i - 1, j)] + u[(i + 1, j)] + u[(i, j - 1)] + u[(i, j + 1)] - 4.0 * u[(i, j)]);
            }
            swap(&mut u, &mut v);
        }
    }
}

const STEPS: u32 = 20;

/// The slowest wave with zeros at the border: each step makes it smaller by the same factor, and leaves its form.
fn wave(side: usize, times: f64) -> Vec<f64> {
    let sine: Vec<f64> = (0..side).map(|k| (PI * k as f64 / (side - 1) as f64).sin()).collect();
    (0..side * side).map(|at| times * sine[at / side] * sine[at % side]).collect()
}

fn run(device: &Device, report: &mut Report) -> Result {
    let (side, c) = (report.size(65, 1025), 0.2);
    let start = wave(side, 1.0);
    let mut u = device.buffer_from(&start)?;
    let mut graph = HeatArgs { u: &mut u, c, steps: STEPS, n: side }.build(device)?;
    graph.launch()?;
    let factor = 1.0 - 4.0 * c * (1.0 - (PI / (side - 1) as f64).cos());
    report.close("the wave", &graph.u().to_vec()?, &wave(side, factor.powi(STEPS as i32)), 1e-12);
    graph.set_steps(2 * STEPS)?;
    graph.launch()?;
    report.close("the wave, later", &graph.u().to_vec()?, &wave(side, factor.powi(3 * STEPS as i32)), 1e-12);
    let launches = streams::heat::Heat::new(device, &start, side, c, 2 * STEPS)?;
    let launches = report.checked(launches, &wave(side, factor.powi(2 * STEPS as i32)), 1e-12)?;
    report.time_beside("40 steps", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
