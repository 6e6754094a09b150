// The test of a `while` does not see the names of its body.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scopes(y: &mut [f32; 1]) {
        while more[0] > 0 {
            let more: [u32; 1] = 0;
            y[0] = 1.0;
            more[0] = 1;
        }
    }
}

fn main() {}
