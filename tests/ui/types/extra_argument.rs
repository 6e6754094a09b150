// One argument too many.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], count: u32) {
        basic::times_constant<<<1, 64>>>(&mut x, 0.5, count, count);
    }
}

fn main() {}
