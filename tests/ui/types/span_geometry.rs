// A grid is `u32` or `usize`, or a tuple of them.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], blocks: String) {
        basic::times_constant<<<blocks, 64>>>(&mut x, 0.5, n as u32);
    }
}

fn main() {}
