// A host array is no buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arrays(x: &out [f32; n]) {
        let t = [0.0; n];
        copy(&t, &out x);
    }
}

fn main() {}
