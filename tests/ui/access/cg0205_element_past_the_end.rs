// An element that is not there.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(steps: &mut [u32; 1]) {
        steps[1] += 1;
    }
}

fn main() {}
