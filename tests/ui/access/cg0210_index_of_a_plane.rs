// One index into a matrix, in an assignment and in a condition; two into a cube.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Pick(x: &mut [f32; (4, 8)], y: &[f32; (2, 2, 2)]) {
        x[3] = 1.0;
        if y[(0, 1)] > 0.0 { fill(&out x, 0.0); }
    }
}

fn main() {}
