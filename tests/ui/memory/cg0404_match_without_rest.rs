// No arm may fit.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Maybe(s: &[u32; 1], y: &out [f32; n]) {
        let t: [f32; n];
        match s[0] {
            0 => { fill(&out t, 1.0); }
            1 => { fill(&out t, 2.0); }
        }
        copy(&t, &out y);
    }
}

fn main() {}
