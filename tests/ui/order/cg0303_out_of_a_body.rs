// A statement in a body waits for one outside.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(x: &mut [f32; n], count: &mut [u32; 1]) {
        'clear: fill(&out x, 0.0);
        while count[0] > 0 {
            count[0] -= 1 after 'clear;
        }
    }
}

fn main() {}
