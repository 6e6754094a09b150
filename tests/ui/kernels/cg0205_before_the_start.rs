// The first index has no left neighbour.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Shift(x: &[f32; n], y: &out [f32; n]) {
        kernel for i in 0..n { y[i] = x[i - 1]; }
    }
}

fn main() {}
