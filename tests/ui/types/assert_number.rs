// As in Rust, a condition is a `bool`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(info: &[i32; 1]) {
        assert!(info[0], "no factor");
    }
}

fn main() {}
