#![deny(deprecated)]
// In a body, against the text, twice, and of two that say the same.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Bodies<T: Element>(x: &mut [f32; n], y: &mut [f32; n], c: &mut [u32; 1], v: &[T; m], w: &out [T; m], u: &out [T; m]) {
        while c[0] > 0 {
            'first: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            'second: copy(&x, &out y) after 'first;
            c[0] -= 1;
        }
        'early: copy(&v, &out w);
        'late: copy(&w, &out u) after 'early;
        'apart: fill(&out x, 0.0) after 'early, 'late, 'early;
    }
}

fn main() {}
