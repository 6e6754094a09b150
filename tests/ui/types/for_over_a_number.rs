// rustc knows what can be iterated over.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Number(x: &mut [f32; n]) {
        for i in n { fill(&out x, i as f32); }
    }
}

fn main() {}
