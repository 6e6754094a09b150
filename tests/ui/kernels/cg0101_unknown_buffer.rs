// A name close to a buffer's.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copy(values: &[f32; n], y: &out [f32; n]) {
        kernel for i in 0..n { y[i] = value[i]; }
    }
}

fn main() {}
