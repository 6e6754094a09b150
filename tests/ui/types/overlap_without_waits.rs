// The kernel is not declared to wait.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        #[overlap]
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
