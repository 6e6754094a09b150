// A grid has at least one block.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Empty(x: &mut [f32; n]) {
        basic::add_constant<<<0, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
