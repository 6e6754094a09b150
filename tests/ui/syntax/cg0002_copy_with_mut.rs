// A `copy` overwrites its target.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(a: &[f32; n], b: &mut [f32; n]) {
        copy(&a, &mut b);
    }
}

fn main() {}
