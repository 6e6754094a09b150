// A statement with a similar label exists.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Labels(x: &mut [f32; n], y: &mut [f32; n]) {
        'first: fill(&out x, 0.0);
        fill(&out y, 0.0) after 'frist;
    }
}

fn main() {}
