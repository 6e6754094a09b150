// One launch reads and writes the buffer.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph InPlace(x: &mut [f32; n]) {
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out x, 2.0, n as u32);
    }
}

fn main() {}
