// An element that is not there, in a condition.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Until(error: &mut [f32; 1]) {
        while error[1] > 0.1 { error[0] *= 0.5; }
    }
}

fn main() {}
