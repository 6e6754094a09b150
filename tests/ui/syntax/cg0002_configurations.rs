// Conditions that are none, and places that have no configuration.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Configured(x: &mut [f32; n], y: &mut [f32; n]) {
        #[cfg]
        fill(&out x, 0.0);
        #[cfg()]
        fill(&out x, 0.0);
        copy(#[cfg(all())] &x, &out y);
    }
}

fn main() {}
