// One buffer for two parameters, of which one is written.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Add(x: &[f32; n], y: &mut [f32; n]) {
        kernel for i in 0..n {
            y[i] += x[i];
        }
    }

    graph Double(x: &mut [f32; n]) {
        Add { x: &x, y: &mut x };
    }
}

fn main() {}
