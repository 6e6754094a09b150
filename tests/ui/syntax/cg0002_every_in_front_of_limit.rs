// The two words have an order.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bounds(x: &mut [u32; 1]) {
        while x[0] < 10 every 2 limit 8 { x[0] += 1; }
    }
}

fn main() {}
