// Eight elements to nine.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &[f32; 8], b: &out [f32; 9]) {
        copy(&a, &out b);
    }
}

fn main() {}
