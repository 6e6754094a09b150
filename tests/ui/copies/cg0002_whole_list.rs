// A list is copied buffer by buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Whole(w: [&[f32; n]], x: &out [f32; n]) {
        copy(&w, &out x);
    }
}

fn main() {}
