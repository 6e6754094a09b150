// A host statement would run once, at build.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Prints(x: &mut [f32; n]) {
        println!("step");
        fill(&out x, 0.0);
    }
}

fn main() {}
