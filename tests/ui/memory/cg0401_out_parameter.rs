// An `&out` parameter has no old contents.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Accumulate(x: &out [f32; n]) {
        basic::add_constant<<<n.div_ceil(64), 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
