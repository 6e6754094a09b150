// One name for two graphs of a block.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &mut [f32; n]) {
        fill(&out x, 0.0);
    }

    graph Clear(x: &mut [u32; n]) {
        fill(&out x, 0);
    }
}

fn main() {}
