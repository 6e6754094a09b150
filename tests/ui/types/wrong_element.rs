// The kernel declares elements of `f32`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f64; n]) {
        basic::times_constant<<<1, 64>>>(&mut x, 0.5, n as u32);
    }
}

fn main() {}
