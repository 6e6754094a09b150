//! NVIDIA's `graphMemoryNodes`: squares numbers and negates the squares, with memory of the graph's own.

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "memory_nodes", about: "square and negate, in transient memory (graphMemoryNodes)", run };

/// Kernels of one thread for each element.
#[cuda_module("kernels/programs/memory_nodes.cu")]
unsafe mod k {
    pub fn square(x: &[f32; n], squared: Out<[f32; n]>, n: u32) {
        squared.iter_mut().zip(x).for_each(|(squared, x)| *squared = x * x);
    }

    pub fn negate(x: &[f32; n], negated: Out<[f32; n]>, n: u32) {
        negated.iter_mut().zip(x).for_each(|(negated, x)| *negated = -x);
    }
}

cuda_graph! {
    /// From the host's memory and back to it.
    pub graph NegSquare(h: &host [f32; n], squared: &out host [f32; n], negated: &out host [f32; n]) {
        let x: [f32; n];
        let sq: [f32; n];
        let neg: [f32; n];
        copy(&h, &out x);
        k::square<<<n.div_ceil(512), 512>>>(&x, &out sq, n as u32);
        copy(&sq, &out squared);
        k::negate<<<n.div_ceil(512), 512>>>(&sq, &out neg, n as u32);
        copy(&neg, &out negated);
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    let numbers = uniform(1, 100_000);
    let h = device.pinned_from(&numbers)?;
    let mut squared = device.pinned_zeros::<f32>(numbers.len())?;
    let mut negated = device.pinned_zeros::<f32>(numbers.len())?;
    let mut graph = NegSquareArgs { h: &h, squared: &mut squared, negated: &mut negated }.build(device)?;
    graph.launch()?;
    let expected: Vec<f64> = numbers.iter().map(|x| f64::from(*x) * f64::from(*x)).collect();
    let negatives: Vec<f64> = expected.iter().map(|square| -square).collect();
    report.close("squares", &graph.squared().to_vec()?, &expected, 1e-7);
    report.close("negatives", &graph.negated().to_vec()?, &negatives, 1e-7);
    let launches = report.checked(streams::negate::SquareNegate::new(device, &numbers)?, &negatives, 1e-7)?;
    report.time_beside("square and negate", launches, || {
        graph.launch()?;
        graph.synchronize()
    })
}
