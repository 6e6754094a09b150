#![deny(deprecated)]
// Nothing names a transient, one in a body, a list of transients, a `static`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Unused(x: &mut [f32; n], c: &[u32; 1]) {
        let old: [f32; n];
        let parts: [[f32; n]; 4];
        static count: [u32; 1] = 0;
        if c[0] > 0 {
            let inner: [f32; n];
            kernel for i in 0..n { x[i] += 1.0; }
        }
    }
}

fn main() {}
