// An `&out` parameter that one path writes.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Maybe(flag: &[u32; 1], y: &out [f32; n]) {
        if flag[0] != 0 { fill(&out y, 1.0); }
    }
}

fn main() {}
