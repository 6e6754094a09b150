// Built-in words that are still to come.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        Other { x: &mut x, n };
        self::other(&mut x);
    }
}

fn main() {}
