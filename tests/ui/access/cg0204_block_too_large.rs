// A block has at most 1024 threads.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Big(x: &mut [f32; n]) {
        basic::add_constant<<<1, 2048>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
