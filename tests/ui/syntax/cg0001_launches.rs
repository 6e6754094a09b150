// Launches that are still to come.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        basic::add_constant::<f32, 4><<<1, 64>>>(&mut x, 1.0, n as u32);
        basic::add_constant<<<n.div_ceil(64)>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
