// What is declared `&` is not assigned to.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &[f32; n]) {
        kernel for i in 0..n { x[i] = 0.0; }
    }
}

fn main() {}
