// How many arms there are is fixed when the graph is built.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], y: &mut [u32; 1], count: u32 <= 8) {
        match s[0] {
            k @ 0..count => { y[0] = k; }
            _ => { y[0] = 4; }
        }
    }
}

fn main() {}
