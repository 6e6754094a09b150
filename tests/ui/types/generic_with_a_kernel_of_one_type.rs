// A kernel of `f32` is given elements of any type.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale<T: Element>(x: &mut [T; n]) {
        basic::times_constant<<<1, 64>>>(&mut x, 0.5, n as u32);
    }
}

fn main() {}
