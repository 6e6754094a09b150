// A name must not stand for what ends with the pass.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Ends(x: &mut [f32; n], passes: u32) {
        for _ in 0..passes {
            let t: [f32; n] = 0.0;
            swap(&mut x, &mut t);
        }
    }
}

fn main() {}
