// A `match` that no buffer decides.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(y: &mut [u32; 1], n: u32) {
        match n {
            0 => { y[0] = 1; }
            _ => { y[0] = 2; }
        }
    }
}

fn main() {}
