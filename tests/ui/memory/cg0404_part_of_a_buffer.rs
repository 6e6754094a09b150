// One element is missing.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Parts(y: &out [f32; 8]) {
        let t: [f32; 8];
        fill(&out t[0..4], 1.0);
        fill(&out t[5..8], 2.0);
        copy(&t, &out y);
    }
}

fn main() {}
