// Elements are plain data: every bit pattern is a value.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Flags(x: &mut [bool; n]) {
        fill(&out x, false);
    }
}

fn main() {}
