// A field with other elements.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<u32>,
}

cuda_graph! {
    graph Copied(layer: &Layer, to: &out [f32; n]) {
        copy(&layer.weight, &out to);
    }
}

fn main() {}
