// A buffer of one dimension, indexed by two.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(a: &mut [f32; n], h: usize, w: usize) {
        kernel for (i, j) in (0..h, 0..w) { a[(i, j)] = 0.0; }
    }
}

fn main() {}
