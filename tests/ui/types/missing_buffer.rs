// A buffer is missing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Sum(a: &[f32; n], c: &mut [f32; n], count: u32) {
        basic::sum_of_two<<<1, 64>>>(&a, &out c, count);
    }
}

fn main() {}
