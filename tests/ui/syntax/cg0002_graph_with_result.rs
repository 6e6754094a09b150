// Results are parameters.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Sum(x: &[f32; n]) -> f32 {
    }
}

fn main() {}
