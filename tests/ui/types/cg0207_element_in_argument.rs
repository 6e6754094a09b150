// An element of a buffer, passed by value.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Argument(y: &mut [f32; n], by: &[f32; 1]) {
        basic::times_constant<<<1, 64>>>(&mut y, by[0] * 2.0, n as u32);
    }
}

fn main() {}
