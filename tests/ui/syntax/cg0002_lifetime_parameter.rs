// A graph lives as long as what is bound to it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Borrowing<'a, T: Element>(x: &mut [T; n], names: Vec<&'a str>) {
        copy(&x[..names.len()], &out x[n - names.len()..]);
    }
}

fn main() {}
