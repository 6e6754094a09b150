// Items of lists of other elements: rustc says it at the argument.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Unlike(l: [&mut [f32; n]], m: [&mut [u32; n]]) {
        swap(&mut l[0], &mut m[1]);
    }
}

fn main() {}
