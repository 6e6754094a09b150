#![deny(deprecated)]
// Nobody reads what is copied, filled or computed.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Unread(x: &mut [f32; n], by: f32) {
        let old: [f32; n];
        let zeros: [f32; n] = 0.0;
        let squares: [f32; n];
        copy(&x, &out old);
        kernel for i in 0..n { squares[i] = x[i] * x[i]; }
        kernel for i in 0..n { x[i] += by; }
    }
}

fn main() {}
