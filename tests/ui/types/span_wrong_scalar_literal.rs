// The report points at the literal.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n]) {
        basic::times_constant<<<1, 64>>>(&mut x, 2, n as u32);
    }
}

fn main() {}
