// To a graph of another crate: a buffer without a mode, arguments in a row, and `..`.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Bare(x: &[f32; n], y: &out [f32; n]) {
        library::Scale { x: &x, y, by: 2.0 };
    }

    graph Row(x: &[f32; n], y: &out [f32; n]) {
        library::Scale(&x, &out y, 2.0);
    }

    graph Rest(x: &[f32; n], y: &out [f32; n]) {
        library::Scale { x: &x, y: &out y, .. };
    }
}

fn main() {}
