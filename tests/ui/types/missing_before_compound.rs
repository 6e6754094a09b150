// A buffer is missing in front of an expression.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Sum(a: &[f32; n], c: &mut [f32; n]) {
        basic::sum_of_two<<<1, 64>>>(&a, &out c, n as u32);
    }
}

fn main() {}
