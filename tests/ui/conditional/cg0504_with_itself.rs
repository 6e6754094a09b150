// As in Rust: nothing is borrowed mutably twice.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Itself(x: &mut [f32; n]) {
        swap(&mut x, &mut x);
    }
}

fn main() {}
