// A pass is a body of its own; the `for` has a label for what waits for all of them.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Outside(x: &mut [f32; n], y: &mut [f32; n]) {
        for _ in 0..3 {
            'inner: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        }
        basic::add_constant<<<1, 64>>>(&mut y, 1.0, n as u32) after 'inner;
    }
}

fn main() {}
