// The kernel declares `Out`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &[f32; n], y: &mut [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&x, &mut y, 0.5, n as u32);
    }
}

fn main() {}
