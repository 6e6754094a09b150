// A label whose statement the configuration leaves out.
use graph_runtime::prelude::*;

cuda_graph! {
    graph LeftOut(x: &mut [f32; n], y: &mut [f32; n]) {
        #[cfg(any())]
        'first: fill(&out x, 0.0);
        fill(&out y, 1.0) after 'first;
    }
}

fn main() {}
