// How many indices there are is decided before the launch.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(count: &[u32; 1], x: &mut [f32; n]) {
        kernel for i in 0..count[0] { x[i] = 0.0; }
    }
}

fn main() {}
