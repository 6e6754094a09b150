// Parameters that are still to come.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(
        plane: &[f32; (h, w)],
        weights: [&[f32]],
    ) {
    }
}

fn main() {}
