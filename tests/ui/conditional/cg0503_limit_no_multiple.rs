// A whole number of rounds makes up the limit.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Rounds(count: &mut [u32; 1]) {
        while count[0] > 0 limit 10 every 4 { count[0] -= 1; }
    }
}

fn main() {}
