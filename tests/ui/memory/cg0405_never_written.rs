// An `&out` parameter that nothing writes.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Nothing(x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        copy(&x, &out t);
    }
}

fn main() {}
