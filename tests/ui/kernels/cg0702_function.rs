// A function of the host's, given what only the device knows.
use graph_runtime::prelude::*;

fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

cuda_graph! {
    graph Layer(x: &mut [f32; n]) {
        kernel for i in 0..n { x[i] = relu(x[i]); }
    }
}

fn main() {}
