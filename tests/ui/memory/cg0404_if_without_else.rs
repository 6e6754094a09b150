// Written on one of two paths.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Maybe(flag: &[u32; 1], y: &out [f32; n]) {
        let t: [f32; n];
        if flag[0] != 0 { fill(&out t, 1.0); }
        copy(&t, &out y);
    }
}

fn main() {}
