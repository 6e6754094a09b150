// No kernel gets the condition.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        while |again| limit 10 {
            basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        }
    }
}

fn main() {}
