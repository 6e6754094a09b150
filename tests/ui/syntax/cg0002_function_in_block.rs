// A block holds graphs.
use graph_runtime::prelude::*;

cuda_graph! {
    fn scale(x: &mut [f32]) {}
}

fn main() {}
