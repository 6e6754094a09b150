// A bound has the type of its value.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(n: u32 <= capacity, x: &mut [f32; n], capacity: usize) {
        basic::add_constant<<<2, 32>>>(&mut x, 1.0, n);
    }
}

fn main() {}
