// A host function in place of a kernel.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Calls(x: &mut [f32; n]) {
        normalize(&mut x);
    }
}

fn main() {}
