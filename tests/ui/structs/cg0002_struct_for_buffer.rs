// A struct is no buffer.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<f32>,
}

cuda_graph! {
    graph Copied(layers: [&Layer], to: &out [f32; n]) {
        copy(&layers[0], &out to);
    }
}

fn main() {}
