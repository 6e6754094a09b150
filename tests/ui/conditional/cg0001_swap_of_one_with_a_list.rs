// A buffer by itself and one of a list.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Mixed(x: &mut [f32; n]) {
        let t: [[f32; n]; 2];
        fill(&out t[0], 0.0);
        swap(&mut x, &mut t[0]);
    }
}

fn main() {}
