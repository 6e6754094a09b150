// How many passes are put down is decided when the graph is built.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Passes(left: &mut [u32; 1], passes: &[u32; 1]) {
        while left[0] > 0 every passes[0] { left[0] -= 1; }
    }
}

fn main() {}
