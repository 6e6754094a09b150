// Two indices may be sent to one place.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scatter(x: &[f32; n], target: &[u32; n], y: &mut [f32; m]) {
        kernel for i in 0..n { y[target[i]] = x[i]; }
    }
}

fn main() {}
