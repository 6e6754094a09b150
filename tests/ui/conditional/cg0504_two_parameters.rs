// Each parameter ends in its own buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Parameters(x: &mut [f32; n], y: &mut [f32; n]) {
        swap(&mut x, &mut y);
    }
}

fn main() {}
