// One size too many.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Sizes(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64, 0, 0>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
