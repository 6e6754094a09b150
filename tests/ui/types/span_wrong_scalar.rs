// The report points at the value.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f64) {
        basic::times_constant<<<1, 64>>>(&mut x, by, n as u32);
    }
}

fn main() {}
