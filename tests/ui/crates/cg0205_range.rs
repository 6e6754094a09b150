// A graph of another crate is given a range that leaves its buffer, or an element that is not there.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Wrong(x: &[f32; 8], y: &out [f32; 4]) {
        library::Scale { x: &x[6..10], y: &out y, by: 2.0 };
    }
}

fn main() {}
