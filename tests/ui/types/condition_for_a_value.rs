// A condition is passed where a value is expected.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        while |again| {
            basic::add_constant<<<1, 64>>>(&mut x, 1.0, again);
        }
    }
}

fn main() {}
