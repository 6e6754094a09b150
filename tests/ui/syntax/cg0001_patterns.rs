// Patterns that are still to come where the device decides.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(s: &[u32; 1], y: &mut [u32; 1], n: u32) {
        match s[0] {
            k @ 3..8 => { y[0] = 1; }
            1 if n > 2 => { y[0] = 2; }
            Some(_) => { y[0] = 3; }
            _ => { y[0] = 4; }
        }
    }
}

fn main() {}
