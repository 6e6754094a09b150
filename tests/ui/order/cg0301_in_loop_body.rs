// A cycle within a body.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n]) {
        loop limit 10 {
            'halve: basic::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32) after 'back;
            'back: basic::copy_scaled<<<1, 64>>>(&y, &out x, 2.0, n as u32);
        }
    }
}

fn main() {}
