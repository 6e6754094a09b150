// As in Rust, the first arm that fits runs.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Behind(x: &mut [u8; 1]) {
        match x[0] {
            0 => { x[0] = 1; }
            _ => { x[0] = 2; }
            1 => { x[0] = 3; }
            _ => {}
        }
    }
}

fn main() {}
