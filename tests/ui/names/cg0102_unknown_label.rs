// No statement has such a label.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Labels(x: &mut [f32; n]) {
        fill(&out x, 0.0) after 'setup;
    }
}

fn main() {}
