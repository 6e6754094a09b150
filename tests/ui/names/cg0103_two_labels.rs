// One label for two statements of a region.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Twice(x: &mut [f32; n], y: &mut [f32; n]) {
        'clear: fill(&out x, 0.0);
        'clear: fill(&out y, 0.0);
    }
}

fn main() {}
