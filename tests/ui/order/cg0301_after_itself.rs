// A statement waits for itself.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Steps(x: &mut [f32; n]) {
        'first: fill(&out x, 0.0) after 'first;
    }
}

fn main() {}
