// A parameter belongs to the caller.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Drops(x: &mut [f32; n]) {
        fill(&out x, 1.0);
        drop(x);
    }
}

fn main() {}
