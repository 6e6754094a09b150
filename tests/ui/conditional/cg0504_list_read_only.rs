// A list that is only read does not change.
use graph_runtime::prelude::*;

cuda_graph! {
    graph ReadOnly(l: [&[f32; n]], y: &out [f32; n]) {
        swap(&mut l[0], &mut l[1]);
        copy(&l[0], &out y);
    }
}

fn main() {}
