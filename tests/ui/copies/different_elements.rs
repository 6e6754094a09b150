// A copy does not convert.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &[f32; n], b: &out [f64; n]) {
        copy(&a, &out b);
    }
}

fn main() {}
