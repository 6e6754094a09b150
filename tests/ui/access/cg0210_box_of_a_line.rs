// A box of a buffer of one dimension.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &mut [f32; n], n: usize) {
        fill(&out x[(0..n, 0..2)], 0.0);
    }
}

fn main() {}
