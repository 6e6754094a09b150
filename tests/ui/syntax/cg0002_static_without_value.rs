// The first launch has to find something in it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count() {
        static launches: [u32; 1];
        launches[0] += 1;
    }
}

fn main() {}
