// A `static` has a view of its name.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(x: &mut [u32; 1]) {
        static plan: [u32; 1] = 0;
        plan[0] += x[0];
    }
}

fn main() {}
