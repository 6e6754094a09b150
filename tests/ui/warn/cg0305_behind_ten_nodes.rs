#![deny(deprecated)]
// The first and the last of ten nodes: each step of the way is named.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Chain(x: &mut [f32; n], y: &mut [f32; n], z: &out [f32; n]) {
        'one: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        'two: basic::times_constant<<<1, 64>>>(&mut x, 2.0, n as u32);
        'three: copy(&x, &out y);
        'four: basic::add_constant<<<1, 64>>>(&mut y, 1.0, n as u32);
        'five: if y[0] > 0.0 { basic::times_constant<<<1, 64>>>(&mut y, 2.0, n as u32); }
        'six: kernel for i in 0..n { y[i] += 1.0; }
        'seven: kernel for i in 0..n { y[i] *= 2.0; }
        'eight: fill(&out x, 0.0) after 'seven;
        'nine: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        'ten: copy(&x, &out z) after 'one;
    }
}

fn main() {}
