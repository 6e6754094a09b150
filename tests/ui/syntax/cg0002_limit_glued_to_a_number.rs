// rustc takes `limit` for the suffix of the number.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bounds(x: &mut [f32; 1]) {
        while x[0] < 1.0limit 8 { x[0] += 0.5; }
    }
}

fn main() {}
