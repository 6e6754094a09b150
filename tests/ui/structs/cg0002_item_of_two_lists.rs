// Which parameter an item belongs to is not known.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<f32>,
    bias: Buffer<f32>,
}

cuda_graph! {
    graph Copied(from: [&Layer], more: [&Layer], to: &out [f32; n]) {
        for layer in from.iter().chain(more.iter()) {
            copy(&layer.weight, &out to);
            copy(&layer.bias, &out to);
        }
    }
}

fn main() {}
