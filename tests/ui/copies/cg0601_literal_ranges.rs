// Four elements to five.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &[f32; 8], b: &mut [f32; 8]) {
        copy(&a[0..4], &out b[0..5]);
    }
}

fn main() {}
