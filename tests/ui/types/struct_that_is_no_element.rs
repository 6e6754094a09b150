// A struct of the user's that may not lie in a buffer.
use graph_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Jitter {
    angle: f32,
}

cuda_graph! {
    graph Copied(from: &[Jitter; n], to: &out [Jitter; n]) {
        copy(&from, &out to);
    }
}

fn main() {}
