// Used after `drop`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Drops(y: &out [f32; n]) {
        let t: [f32; n] = 1.0;
        drop(t);
        copy(&t, &out y);
    }
}

fn main() {}
