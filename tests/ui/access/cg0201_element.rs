// So does an assignment.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(steps: &[u32; 1]) {
        steps[0] += 1;
    }
}

fn main() {}
