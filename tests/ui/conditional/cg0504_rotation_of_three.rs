// Three names come back after three passes.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Rotate(x: &mut [f32; n]) {
        let y: [f32; n] = 0.0;
        let z: [f32; n] = 0.0;
        loop limit 8 every 4 {
            swap(&mut x, &mut y);
            swap(&mut y, &mut z);
        }
    }
}

fn main() {}
