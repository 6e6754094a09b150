// Neither `break` nor `limit`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Endless(x: &mut [f32; n]) {
        loop {
            basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, 0.5, n as u32);
        }
    }
}

fn main() {}
