// The message is made when the graph is built.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        assert!(x[0] < 1.0, "x is {}", x[0]);
    }
}

fn main() {}
