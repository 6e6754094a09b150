// The missing argument stands in front of one that is computed.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Computed(a: &[f32; n], c: &out [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&a, &out c, n as u32 / 2 + 1);
    }
}

fn main() {}
