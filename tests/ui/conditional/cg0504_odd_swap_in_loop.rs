// The names come back after two passes.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph PingPong(x: &mut [f32; n]) {
        let y: [f32; n];
        loop limit 10 {
            basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out y, 0.5, n as u32);
            swap(&mut x, &mut y);
        }
    }
}

fn main() {}
