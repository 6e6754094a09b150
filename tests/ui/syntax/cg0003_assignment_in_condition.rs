// `=` for `==`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Assigned(x: &mut [u32; 1]) {
        if x[0] = 1 { x[0] = 2; }
    }
}

fn main() {}
