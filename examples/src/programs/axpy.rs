//! CUDASTF's axpy, `y += a x`, without a kernel file.

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program = Program { name: "axpy", about: "y += a x, written in the block (CUDASTF)", run };

cuda_graph! {
    /// `y += a x`
    pub graph Axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) {
        kernel for i in 0..n { y[i] += a * x[i]; }
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    let numbers: Vec<f64> = uniform(11, report.size(10_000, 1 << 24)).into_iter().map(f64::from).collect();
    let (x, mut y) = (device.buffer_from(&numbers)?, device.buffer_from(&numbers)?);
    let mut graph = AxpyArgs { a: 3.0, x: &x, y: &mut y }.build(device)?;
    graph.launch()?;
    graph.set_a(-2.0)?;
    graph.launch()?;
    // 1 + 3 - 2; all of it is exact in double precision.
    let expected: Vec<f64> = numbers.iter().map(|x| 2.0 * x).collect();
    report.close("y", &graph.y().to_vec()?, &expected, 0.0);
    let launches = streams::axpy::Axpy::new(device, -2.0, &numbers)?;
    let launches = report.checked(launches, &numbers.iter().map(|x| -x).collect::<Vec<_>>(), 0.0)?;
    report.time_beside("one launch", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
