// The body is written out once per pass: at least once, and not a million times.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Zero(x: &mut [u32; 1]) {
        loop limit 4 every 0 { x[0] += 1; }
        loop limit 1_000_000 every 1_000_000 { x[0] += 1; }
    }
}

fn main() {}
