// A value of another type than the elements.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Fills(x: &out [u32; n]) {
        fill(&out x, 0.5);
    }
}

fn main() {}
