// A generic element needs its bound.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copies<T>(a: &[T; n], b: &out [T; n]) {
        copy(&a, &out b);
    }
}

fn main() {}
