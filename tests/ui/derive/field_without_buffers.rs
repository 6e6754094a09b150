// A value of a type that the crate does not know is marked.
use graph_runtime::prelude::*;

#[derive(Clone)]
struct Config {
    heads: usize,
}

#[derive(Buffers)]
struct Layer {
    w: Buffer<f32>,
    config: Config,
}

fn main() {}
