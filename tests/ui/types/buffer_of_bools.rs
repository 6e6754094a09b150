// Any bits that a kernel leaves must be an element.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Copied(from: &[bool; n], to: &out [bool; n]) {
        copy(&from, &out to);
    }
}

fn main() {}
