// Elements 4 to 7 are in both ranges.
use graph_runtime::prelude::*;

cuda_graph! {
    #[explicit]
    graph Halves(x: &mut [f32; 16]) {
        'low: fill(&out x[..8], 1.0);
        'high: fill(&out x[4..], 2.0);
    }
}

fn main() {}
