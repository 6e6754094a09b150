// A transient of the pass is another one each time.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Fresh(x: &mut [f32; n]) {
        for i in 0..3 {
            let t: [f32; n];
            if i > 0 { copy(&t, &out x); }
            fill(&out t, 1.0);
        }
    }
}

fn main() {}
