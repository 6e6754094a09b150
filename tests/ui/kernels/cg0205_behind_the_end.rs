// The last index reaches one element too far.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Shift(x: &[f32; 16], y: &out [f32; 16]) {
        kernel for i in 0..16 { y[i] = x[i + 1]; }
    }
}

fn main() {}
