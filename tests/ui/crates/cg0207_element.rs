// A value of a graph of another crate cannot be an element of a buffer.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Wrong(x: &[f32; n], y: &out [f32; n], by: &[f32; 1]) {
        library::Scale { x: &x, y: &out y, by: by[0] };
    }
}

fn main() {}
