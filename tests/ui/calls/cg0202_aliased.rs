// The two slices would be of one buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Twice(h: &mut host [f32; 4]) {
        host(&h, &mut h, |from, to| to.copy_from_slice(from));
        host(&h[..3], &mut h[2..], |from, to| to[0] = from[0]);
    }
}

fn main() {}
