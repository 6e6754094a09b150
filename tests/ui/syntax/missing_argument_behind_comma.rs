// A hole between two commas.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Arguments(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, , n as u32);
    }
}

fn main() {}
