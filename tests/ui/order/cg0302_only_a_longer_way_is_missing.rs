// `'sum` waits for `'second`, which does not wait for `'first`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Sum(x: &[f32; n], a: &mut [f32; n], b: &mut [f32; n], c: &mut [f32; n]) {
        'first: basic::copy_scaled<<<1, 64>>>(&x, &out a, 1.0, n as u32);
        'second: basic::copy_scaled<<<1, 64>>>(&x, &out b, 2.0, n as u32);
        'sum: basic::sum_of_two<<<1, 64>>>(&a, &b, &out c, n as u32) after 'second;
    }
}

fn main() {}
