// `#[value]` stands alone.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Layer {
    w: Buffer<f32>,
    #[value(clone)]
    heads: usize,
}

fn main() {}
