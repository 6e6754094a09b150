// A `break` with statements behind it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Breaks(x: &mut [u32; 1]) {
        loop limit 10 {
            x[0] += 1;
            if x[0] > 4 { break; }
            x[0] += 2;
        }
    }
}

fn main() {}
