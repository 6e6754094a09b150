// A mode stands behind `&`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Modes(a: &[f32; n], b: &out [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&a, out b, 2.0, n as u32);
    }
}

fn main() {}
