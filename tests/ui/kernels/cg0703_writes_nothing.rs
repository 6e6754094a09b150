// The assignment is to a name, which ends with the index.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        kernel for i in 0..n {
            let mut scaled = x[i];
            scaled *= by;
        }
    }
}

fn main() {}
