// What is read only cannot be passed to be written.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Clear(x: &mut [f32]) {
        fill(&out x, 0.0);
    }

    graph Wrong(x: &[f32; n], seen: &out [f32; n]) {
        Clear { x: &mut x };
        copy(&x, &out seen);
    }
}

fn main() {}
