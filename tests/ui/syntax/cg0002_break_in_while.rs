// A `break` in a `while`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Breaks(x: &mut [u32; 1]) {
        while x[0] < 10 {
            x[0] += 1;
            break;
        }
    }
}

fn main() {}
