// Two arguments changed places.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &[f32; n], y: &out [f32; n], count: u32) {
        basic::copy_scaled<<<1, 64>>>(&out y, &x, 0.5, count);
    }
}

fn main() {}
