// An `&out` parameter that is written in part.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Part(y: &out [f32; 8]) {
        fill(&out y[0..7], 1.0);
    }
}

fn main() {}
