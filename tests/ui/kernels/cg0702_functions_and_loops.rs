// What a body cannot say, each with a fault of its own.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(x: &mut [f32; n], y: &mut [u32; n]) {
        kernel for i in 0..n {
            let limit = loop { break 3; };
            x[i].abs();
            if x[i] > 1.0 { continue; }
            let Some(value) = y.get(i) else { return; };
            let total: Vec<f32> = x[i];
            helper(x[i]);
        }
    }
}

fn main() {}
