// Two `after`s against each other.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n]) {
        'first: fill(&out x, 0.0) after 'second;
        'second: fill(&out y, 0.0) after 'first;
    }
}

fn main() {}
