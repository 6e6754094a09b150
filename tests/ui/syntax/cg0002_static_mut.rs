// As in `let`, what is written says each use.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count() {
        static mut launches: [u32; 1] = 0;
        launches[0] += 1;
    }
}

fn main() {}
