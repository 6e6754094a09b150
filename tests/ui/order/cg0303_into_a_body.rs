// A statement outside waits for one in a body.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(x: &mut [f32; n], count: &mut [u32; 1]) {
        while count[0] > 0 {
            'down: count[0] -= 1;
        }
        fill(&out x, 0.0) after 'down;
    }
}

fn main() {}
