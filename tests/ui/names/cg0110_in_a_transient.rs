// A size that is misspelt.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Stage(x: &[f32; n], y: &out [f32; n], rows: usize) {
        let t: [f32; (rows, colums)];
        copy(&x, &out t);
        copy(&t, &out y);
    }
}

fn main() {}
