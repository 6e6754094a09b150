// A pattern that the type cannot hold.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Types(s: &[u8; 1], y: &mut [u32; 1]) {
        match s[0] {
            300 => { y[0] = 1; }
            _ => { y[0] = 2; }
        }
    }
}

fn main() {}
