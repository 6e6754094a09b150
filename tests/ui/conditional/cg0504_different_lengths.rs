// Buffers of different lengths.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Lengths(x: &mut [f32; 8]) {
        let y: [f32; 9] = 0.0;
        swap(&mut x, &mut y);
    }
}

fn main() {}
