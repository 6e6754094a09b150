// Within two bodies.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(flag: &mut [u32; 1], x: &[f32; n]) {
        while flag[0] > 0 {
            if flag[0] > 1 { fill(&out x, 0.0); }
            flag[0] -= 1;
        }
    }
}

fn main() {}
