// The buffer of a condition.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Until(error: &mut [f32; 1]) {
        while eror[0] > 0.1 { error[0] *= 0.5; }
    }
}

fn main() {}
