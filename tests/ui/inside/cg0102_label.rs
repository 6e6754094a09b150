// `after` names statements of the graph itself.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &mut [f32]) {
        'clear: fill(&out x, 0.0);
    }

    graph Wrong(x: &mut [f32; n], y: &mut [f32; n]) {
        'first: Clear { x: &mut x };
        fill(&out y, 1.0) after 'clear;
    }
}

fn main() {}
