#![deny(deprecated)]
// In a graph with a `#[cfg]`, what is for nothing here may be for something elsewhere; the rest is told.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Configured(x: &mut [f32; n], y: &mut [f32; n], by: f32) {
        let old: [f32; n];
        'first: copy(&x, &out old);
        #[cfg(any())]
        kernel for i in 0..n { y[i] += by * old[i]; }
        'last: fill(&out x, 0.0) after 'first;
        while y[0] > 1.0 { y[0] *= 0.5; }
    }

    graph Beside(x: &mut [f32; n], by: f32) {
        fill(&out x, 0.0);
    }
}

fn main() {}
