// The target is declared `&`. CG0201 knows.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &[f32; n], b: &[f32; n]) {
        copy(&a, &out b);
    }
}

fn main() {}
