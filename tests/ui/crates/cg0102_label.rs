// `after` does not name statements of a graph of another crate.
use graph_runtime::prelude::*;
use tests::library;

cuda_graph! {
    graph Wrong(x: &[f32; n], y: &out [f32; n], z: &out [f32; n]) {
        'scale: library::Scale { x: &x, y: &out y, by: 2.0 };
        fill(&out z, 1.0) after 'scales;
    }
}

fn main() {}
