// A list of each pass ends with it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Local(l: [&mut [f32; n]], rounds: usize) {
        for k in 0..rounds {
            let t: [[f32; n]; 1];
            fill(&out t[0], 0.0);
            swap(&mut l[k], &mut t[0]);
        }
    }
}

fn main() {}
