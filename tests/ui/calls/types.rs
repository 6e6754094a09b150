// What rustc says about closures, at the user's tokens.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Types(h: &host [f32; 1], x: &mut [f32; 4]) {
        host(&h, |h| h[0] = 1.0);
        host(&h, |h| h.len());
        capture(&x, |stream, x| x.missing());
    }
}

fn main() {}
