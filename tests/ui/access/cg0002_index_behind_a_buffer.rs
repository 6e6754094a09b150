// One buffer has elements, not buffers.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Element(x: &mut [f32; n], w: [&mut [f32; n]]) {
        basic::add_constant<<<1, 64>>>(&mut x[3], 1.0, 1);
        basic::add_constant<<<1, 64>>>(&mut w[0][3], 1.0, 1);
    }
}

fn main() {}
