#![deny(unexpected_cfgs)]
// What rustc says of a condition, it says once, where it stands.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Unknown(x: &mut [f32; n]) {
        #[cfg(featur = "fast")]
        fill(&out x, 0.0);
        #[cfg(not(sometimes))]
        fill(&out x, 1.0);
    }
}

cuda_graph! {
    graph Malformed(x: &mut [f32; n]) {
        #[cfg(never(unix))]
        fill(&out x, 0.0);
    }
}

fn main() {}
