// rustc knows which values are left.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Left(x: &mut [f32; n], mode: Option<f32>) {
        match mode {
            Some(value) => { fill(&out x, value); }
        }
    }
}

fn main() {}
