// A host value read from a buffer, and used.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Let(y: &mut [f32; n], by: &[f32; 1]) {
        let factor = by[0];
        basic::times_constant<<<1, 64>>>(&mut y, factor, n as u32);
        basic::times_constant<<<1, 64>>>(&mut y, factor * 2.0, n as u32);
    }
}

fn main() {}
