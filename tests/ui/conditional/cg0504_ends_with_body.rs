// A name cannot stand for a transient of a body when that body ends.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Local(x: &mut [f32; n]) {
        loop limit 4 every 2 {
            let t: [f32; n] = 0.0;
            swap(&mut x, &mut t);
        }
    }
}

fn main() {}
