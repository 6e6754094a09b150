// How a struct is bound is for the graph to say.
use graph_runtime::prelude::*;

#[derive(Buffers)]
struct Linear<'a> {
    w: &'a Buffer<f32>,
}

fn main() {}
