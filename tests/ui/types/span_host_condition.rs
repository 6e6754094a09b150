// A host condition is a `bool`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Host(x: &mut [f32; n], twice: u32) {
        if twice { fill(&out x, 0.0); }
    }
}

fn main() {}
