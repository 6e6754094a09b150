// A transient that nothing has written.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Add(x: &[f32; n], y: &mut [f32; n]) {
        kernel for i in 0..n {
            y[i] += x[i];
        }
    }

    graph Sum(y: &mut [f32; n]) {
        let t: [f32; n];
        Add { x: &t, y: &mut y };
    }
}

fn main() {}
