// Earlier arms have all values of the name.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], y: &mut [u32; 1]) {
        match s[0] {
            0..8 => { y[0] = 1; }
            k @ 2..5 => { y[0] = k; }
            _ => { y[0] = 4; }
        }
    }
}

fn main() {}
