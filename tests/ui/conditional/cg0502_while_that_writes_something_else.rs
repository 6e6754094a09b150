// No pass changes what the test reads.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Endless(error: &[f32; 1], x: &mut [f32; n]) {
        while error[0] > 0.1 {
            basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
        }
    }
}

fn main() {}
