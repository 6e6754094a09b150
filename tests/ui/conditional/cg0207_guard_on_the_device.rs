// A guard is the host's: it decides when the graph is built.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Guarded(s: &[u32; 1], y: &mut [u32; 1], count: u32) {
        match s[0] {
            k @ 0..count if y[0] > k => { y[0] = k; }
            _ => { y[0] = 4; }
        }
    }
}

fn main() {}
