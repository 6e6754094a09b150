// Both sides hold elements 4 and 5.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies(x: &mut [f32; 10]) {
        copy(&x[0..6], &out x[4..10]);
    }
}

fn main() {}
