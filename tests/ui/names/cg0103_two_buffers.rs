// One name for two transient buffers.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Twice(x: &mut [f32; n]) {
        let t: [f32; n] = 0.0;
        let t: [f32; n] = 1.0;
        basic::sum_of_two<<<1, 64>>>(&t, &t, &out x, n as u32);
    }
}

fn main() {}
