// From one body to another.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Bodies(x: &mut [f32; 1], y: &mut [f32; 1], flag: &[u32; 1]) {
        if flag[0] > 0 {
            'then: fill(&out x, 1.0);
        } else {
            fill(&out y, 1.0) after 'then;
        }
    }
}

fn main() {}
