// All indices add to one element at once.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Sum(x: &[f32; n], s: &mut [f32; 1]) {
        kernel for i in 0..n { s[0] += x[i]; }
    }
}

fn main() {}
