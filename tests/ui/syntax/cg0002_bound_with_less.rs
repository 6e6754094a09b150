// A bound may be reached.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(n: u32 < 64, x: &mut [f32; n]) {
        basic::add_constant<<<2, 32>>>(&mut x, 1.0, n);
    }
}

fn main() {}
