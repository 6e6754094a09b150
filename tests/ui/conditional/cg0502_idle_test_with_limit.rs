#![deny(deprecated)]

// With a `limit` the loop ends: a warning, which rustc reports as the use of something deprecated.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Idle(error: &[f32; 1], x: &mut [f32; n]) {
        while error[0] > 0.1 limit 10 {
            basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
        }
    }
}

fn main() {}
