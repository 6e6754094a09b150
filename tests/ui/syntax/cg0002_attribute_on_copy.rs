// A copy has no blocks.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copy(x: &[f32; n], y: &out [f32; n]) {
        #[cooperative]
        copy(&x, &out y);
    }
}

fn main() {}
