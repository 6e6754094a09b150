// A plain value of a struct is no buffer, by its field and by a name.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<f32>,
    width: usize,
}

cuda_graph! {
    graph Field(layers: [&Layer], to: &out [f32; n], other: &out [f32; n]) {
        copy(&layers[0].weight, &out to);
        copy(&layers[0].width, &out other);
    }

    graph Named(layer: &Layer, to: &out [f32; n], other: &out [f32; n]) {
        let width = layer.width;
        copy(&layer.weight, &out to);
        copy(&width, &out other);
    }
}

fn main() {}
