// Used behind the body that declares it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scopes(flag: &[u32; 1], y: &mut [f32; n]) {
        if flag[0] > 0 {
            let t: [f32; n] = 1.0;
            copy(&t, &out y);
        }
        copy(&t, &out y);
    }
}

fn main() {}
