// The memory is that of the bounds, which must be fixed.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(n: u32 <= 64, m: u32 <= n, x: &mut [f32; n], y: &mut [f32; m]) {
        basic::add_constant<<<2, 32>>>(&mut x, 1.0, n);
        basic::add_constant<<<2, 32>>>(&mut y, 1.0, m);
    }
}

fn main() {}
