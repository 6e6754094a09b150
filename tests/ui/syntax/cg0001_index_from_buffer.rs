// An element whose index the device would have to read first.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Gather(at: &[u32; 1], x: &[f32; n], y: &mut [f32; 1]) {
        y[0] = x[at[0]];
    }
}

fn main() {}
