// An enum has no fields to name.
use graph_runtime::prelude::*;

#[derive(Buffers)]
enum Weights {
    Dense { w: Buffer<f32> },
    Tied,
}

fn main() {}
