// Parameters that are still to come.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(
        weights: [&[f32]],
    ) {
    }
}

fn main() {}
