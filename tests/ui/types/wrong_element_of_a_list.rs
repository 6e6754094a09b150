// rustc checks what the buffers of a list are.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Elements(w: [[&mut [f64; n]]]) {
        basic::add_constant<<<1, 64>>>(&mut w[0][1], 1.0, n as u32);
    }
}

fn main() {}
