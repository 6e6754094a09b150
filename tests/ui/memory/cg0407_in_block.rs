// Nor to a block: its name ends there, and it would not.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(x: &out [u32; 1]) {
        {
            static launches: [u32; 1] = 0;
            launches[0] += 1;
            copy(&launches, &out x);
        }
    }
}

fn main() {}
