// The same in a `let`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Fills(x: &out [u32; n], by: f32) {
        let t: [u32; n] = by;
        copy(&t, &out x);
    }
}

fn main() {}
