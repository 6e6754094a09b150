// Dropped in another body than the one that declares it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Drops(flag: &[u32; 1], y: &out [f32; n]) {
        let t: [f32; n] = 1.0;
        copy(&t, &out y);
        if flag[0] > 0 { drop(t); }
    }
}

fn main() {}
