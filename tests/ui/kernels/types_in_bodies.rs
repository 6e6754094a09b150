// rustc checks bodies: each fault is reported where it is.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Types(x: &[f64; n], y: &out [f32; n], flag: u32) {
        kernel for i in 0..n { y[i] = x[i]; }
        kernel for i in 0..n { if flag { y[i] = 0.0; } }
    }
}

fn main() {}
