// Graphs of another crate that are not there, or not public; a module that is not there.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Misspelt(x: &[f32; n], y: &out [f32; n]) {
        library::Scales { x: &x, y: &out y, by: 2.0 };
    }

    graph Private(x: &mut [f32; n]) {
        library::Private { x: &mut x };
    }

    graph Elsewhere(x: &[f32; n], y: &out [f32; n]) {
        tests::libary::Scale { x: &x, y: &out y, by: 2.0 };
    }
}

fn main() {}
