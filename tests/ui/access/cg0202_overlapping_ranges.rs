// The two ranges share elements.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Shift(x: &mut [f32; 16]) {
        basic::copy_scaled<<<1, 8>>>(&x[0..8], &out x[4..12], 2.0, 8);
    }
}

fn main() {}
