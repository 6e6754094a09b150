// Which parameter an item belongs to is not known.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    weight: Buffer<f32>,
}

cuda_graph! {
    graph Copied(from: [&Layer], to: [&mut Layer]) {
        for (a, b) in from.iter().zip(to.iter()) {
            copy(&a.weight, &out b.weight);
        }
    }
}

fn main() {}
