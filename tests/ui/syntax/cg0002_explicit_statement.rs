// `#[explicit]` is about a whole graph, is written once, and takes nothing.
use graph_runtime::prelude::*;

cuda_graph! {
    graph One(x: &mut [f32; n]) {
        #[explicit]
        fill(&out x, 0.0);
    }

    #[explicit(data)]
    graph Two(x: &mut [f32; n]) {
        #![explicit]
        fill(&out x, 0.0);
    }
}

fn main() {}
