// The declaration fixes no block.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        basic::add_constant<<<n.div_ceil(64)>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
