#![deny(deprecated)]
// A transient that a second computation could have of its own: in a graph, in a body, and in a body of each pass of a `for`.
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

    graph EachPass(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n], c: &[u32; k], k: usize) {
        for i in 0..k {
            if c[i] > 0 {
                let t: [f32; n];
                kernel for i in 0..n { t[i] = y[i] * y[i]; }
                'first: kernel for i in 0..n { y[i] = t[i] + x[i]; }
                'second: kernel for i in 0..n { t[i] = z[i] * z[i]; }
                kernel for i in 0..n { z[i] = t[i] + x[i]; }
            }
            swap(&mut y, &mut z);
        }
    }
}

fn main() {}
