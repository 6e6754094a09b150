// Used behind a plain block.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scopes(y: &mut [f32; n]) {
        {
            let t: [f32; n] = 1.0;
            copy(&t, &out y);
        }
        copy(&t, &out y);
    }
}

fn main() {}
