// The body of an arm needs braces.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], y: &mut [u32; 1]) {
        match s[0] {
            0 => y[0] = 1,
            _ => { y[0] = 2; }
        }
    }
}

fn main() {}
