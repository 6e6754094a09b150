// A struct that does not derive `Buffers`.
use graph_runtime::prelude::*;

struct Layer {
    weight: Buffer<f32>,
}

cuda_graph! {
    graph Copied(layer: &Layer, to: &out [f32; n]) {
        copy(&layer.weight, &out to);
    }
}

fn main() {}
