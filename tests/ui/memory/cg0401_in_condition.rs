// A condition reads it.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Until(x: &mut [f32; n]) {
        let error: [f32; 1];
        while error[0] > 0.1 {
            basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
            error[0] = 0.0;
        }
    }
}

fn main() {}
