// A condition is a `bool`: for rustc to say.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Types(count: &mut [u32; 1]) {
        while count[0] { count[0] -= 1; }
    }
}

fn main() {}
