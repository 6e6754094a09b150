// The value has the type of the elements.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(start: u64) {
        static launches: [u32; 1] = start;
        launches[0] += 1;
    }
}

fn main() {}
