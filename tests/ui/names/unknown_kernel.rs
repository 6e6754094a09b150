// A kernel that its module does not declare.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Increments(x: &mut [f32; n]) {
        basic::add_constnat<<<1, 64>>>(&mut x, 1.0, n as u32);
        basic::add_constnat<<<1, 64>>>(&mut x, 2.0, n as u32);
    }
}

fn main() {}
