// A value of another type than the element.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Elements(x: &mut [f32; 1], y: &mut [u32; 1]) {
        y[0] = x[0];
    }
}

fn main() {}
