// What is bound through `&` is only read.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<f32>,
}

cuda_graph! {
    graph Cleared(layer: &Layer) {
        fill(&out layer.weight, 0.0);
    }
}

fn main() {}
