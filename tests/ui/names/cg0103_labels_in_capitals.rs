// Each label is a constant, in capitals.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Capitals(x: &mut [f32; n]) {
        'fill: fill(&out x, 0.0);
        'Fill: fill(&out x[1..], 1.0);
    }
}

fn main() {}
