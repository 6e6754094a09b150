// Rust does not compare `f32` with `u32`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Types(error: &mut [f32; 1], bound: &[u32; 1]) {
        while error[0] > bound[0] { error[0] *= 0.5; }
    }
}

fn main() {}
