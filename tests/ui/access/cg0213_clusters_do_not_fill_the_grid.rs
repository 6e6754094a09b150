// Six blocks are no clusters of four.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        #[cluster(4, 1, 1)]
        basic::add_constant<<<6, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
