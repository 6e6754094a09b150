// A buffer without its mode is a host value.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n]) {
        basic::times_constant<<<1, 64>>>(x, 0.5, n as u32);
    }
}

fn main() {}
