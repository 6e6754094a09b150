// The types behind `as` are numbers.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Casts(s: &mut [u32; 1], y: &out [f32; 1]) {
        y[0] = s[0] as Half;
    }
}

fn main() {}
