// An item that a `for` takes out has no place to put another buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Items(l: [&mut [f32; n]]) {
        for x in l.iter() {
            swap(&mut x, &mut l[0]);
        }
    }
}

fn main() {}
