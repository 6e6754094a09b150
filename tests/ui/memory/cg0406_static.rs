// What is kept from launch to launch cannot end early.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count() {
        static launches: [u32; 1] = 0;
        launches[0] += 1;
        drop(launches);
    }
}

fn main() {}
