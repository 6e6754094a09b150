// A buffer of the graph's own has plain data too.
use graph_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Jitter {
    angle: f32,
}

cuda_graph! {
    graph Scratch(x: &mut [f32; n]) {
        let _t: [Jitter; n];
        fill(&out x, 0.0);
    }
}

fn main() {}
