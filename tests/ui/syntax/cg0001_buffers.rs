// Ways to name buffers that are still to come.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut layer.x, 1.0, n as u32);
    }
}

fn main() {}
