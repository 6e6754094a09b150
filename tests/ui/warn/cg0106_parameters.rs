#![deny(deprecated)]
// Nothing names them: a buffer, a value, a list, an object.
use graph_runtime::prelude::*;

struct Log;

cuda_graph! {
    graph Unused(x: &mut [f32; n], y: &[f32; n], by: f32, weights: [&[f32]], log: &Log) {
        kernel for i in 0..n { x[i] += 1.0; }
    }
}

fn main() {}
