// A read-only parameter would be written under the other name.
use graph_runtime::prelude::*;

cuda_graph! {
    graph ReadOnly(x: &[f32; n]) {
        let y: [f32; n] = 0.0;
        swap(&mut x, &mut y);
        fill(&out x, 1.0);
    }
}

fn main() {}
