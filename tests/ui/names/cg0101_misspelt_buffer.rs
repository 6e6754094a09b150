// A buffer with a similar name exists.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Norm(residual: &[f32; n], scaled: &out [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&resdual, &out scaled, 2.0, n as u32);
    }
}

fn main() {}
