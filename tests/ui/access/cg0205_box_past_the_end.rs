// A box leaves its buffer in one dimension, another runs backwards.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Tile(x: &mut [f32; (4, 8)], s: &mut [f32; (2, 3)]) {
        fill(&out x[(0..4, 4..9)], 0.0);
        fill(&out x[(3..1, ..)], 0.0);
        s[(1, 3)] = 0.0;
    }
}

fn main() {}
