// Dropped twice.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Drops(y: &out [f32; n]) {
        let t: [f32; n] = 1.0;
        copy(&t, &out y);
        drop(t);
        drop(t);
    }
}

fn main() {}
