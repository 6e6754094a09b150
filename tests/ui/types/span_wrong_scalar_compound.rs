// The report points at the expression.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], m: usize) {
        basic::times_constant<<<1, 64>>>(&mut x, 0.5, m * 2);
    }
}

fn main() {}
