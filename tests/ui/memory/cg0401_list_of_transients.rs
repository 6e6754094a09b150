// No buffer of the list is written.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Lists(x: &mut [f32; n]) {
        let t: [[f32; n]; 3];
        copy(&t[1], &out x);
    }
}

fn main() {}
