// A pass writes another element than the test reads.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Endless(count: &mut [u32; 2]) {
        while count[0] > 0 { count[1] -= 1; }
    }
}

fn main() {}
