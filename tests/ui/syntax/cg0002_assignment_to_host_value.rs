// An assignment to a name; only elements of buffers are assigned to.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Counts(x: &mut [f32; n]) {
        let mut step = 1.0_f32;
        step += 1.0;
        fill(&out x, step);
    }
}

fn main() {}
