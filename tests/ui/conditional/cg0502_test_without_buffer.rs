// A test that reads no buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Endless(x: &mut [f32; n], more: bool) {
        while more { fill(&out x, 0.0); }
    }
}

fn main() {}
