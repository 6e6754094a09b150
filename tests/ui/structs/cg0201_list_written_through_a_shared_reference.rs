// What a list is bound to through `&` is only read.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Cleared(w: [&[f32]], i: usize) {
        fill(&out w[i], 0.0);
    }
}

fn main() {}
