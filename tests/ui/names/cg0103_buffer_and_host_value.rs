// A host value takes the name of a buffer in the same block.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Twice(x: &mut [f32; n]) {
        let t: [f32; n] = 0.0;
        let t = 2.0_f32;
        basic::add_constant<<<1, 64>>>(&mut x, t, n as u32);
    }
}

fn main() {}
