// A `while` may run no pass.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Maybe(count: &mut [u32; 1], y: &out [f32; n]) {
        let t: [f32; n];
        while count[0] > 0 {
            fill(&out t, 1.0);
            count[0] -= 1;
        }
        copy(&t, &out y);
    }
}

fn main() {}
