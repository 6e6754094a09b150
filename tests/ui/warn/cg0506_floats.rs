#![deny(deprecated)]
// Nothing but a float ends these loops.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Floats(x: &mut [f32; 1], y: &mut [f64; 1], bound: f32, go: bool) {
        while x[0] > bound { x[0] *= 0.5; }
        while !(x[0] <= bound) { x[0] *= 0.5; }
        loop {
            y[0] *= 0.5;
            if y[0].abs() < 1e-9 && x[0] < 1.0 { break; }
        }
        if x[0] > 0.0 {
            while y[0] > 1e-3 || go && x[0] > 1.0 { y[0] *= 0.5; x[0] *= 0.5; }
        }
    }
}

fn main() {}
