// The first element stays unwritten, and the second kernel reads it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Gap(x: &[f32; 16], y: &out [f32; 16]) {
        let t: [f32; 16];
        kernel for i in 1..16 { t[i] = x[i]; }
        kernel for i in 0..16 { y[i] = t[i]; }
    }
}

fn main() {}
