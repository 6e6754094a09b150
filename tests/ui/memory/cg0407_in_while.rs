// A `static` belongs to the graph, not to a pass of a loop.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(go: &mut [u32; 1]) {
        while go[0] > 0 {
            static passes: [u32; 1] = 0;
            passes[0] += 1;
            go[0] -= 1;
        }
    }
}

fn main() {}
