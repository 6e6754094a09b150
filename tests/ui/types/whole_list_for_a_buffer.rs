// The kernel takes one buffer, and is given a list.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Whole(w: [&mut [f32; n]]) {
        basic::add_constant<<<1, 64>>>(&mut w, 1.0, n as u32);
    }
}

fn main() {}
