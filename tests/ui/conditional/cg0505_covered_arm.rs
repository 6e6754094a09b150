// Earlier arms fit all values of the arm.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Arms(s: &[u32; 1], y: &mut [u32; 1]) {
        match s[0] {
            0..8 => { y[0] = 1; }
            3 | 5 => { y[0] = 2; }
            _ => { y[0] = 3; }
        }
    }
}

fn main() {}
