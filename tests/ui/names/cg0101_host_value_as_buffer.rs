// A host value is passed without `&`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<1, 64>>>(&mut x, &by, n as u32);
    }
}

fn main() {}
