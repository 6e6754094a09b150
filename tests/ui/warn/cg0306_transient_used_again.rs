#![deny(deprecated)]
// A transient that a second computation could have of its own: in a graph and in a body.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Again(x: &[f32; n], y: &out [f32; n], u: &[f32; n], v: &out [f32; n], c: &[u32; 1]) {
        let t: [f32; n];
        kernel for i in 0..n { t[i] = 2.0 * x[i]; }
        'first: kernel for i in 0..n { y[i] = t[i] * t[i]; }
        'second: kernel for i in 0..n { t[i] = 3.0 * u[i]; }
        kernel for i in 0..n { v[i] = t[i] * t[i]; }
        if c[0] > 0 {
            let t: [f32; n];
            copy(&x, &out t);
            'inner: copy(&t, &out y);
            'again: copy(&u, &out t);
            copy(&t, &out v);
        }
    }
}

fn main() {}
