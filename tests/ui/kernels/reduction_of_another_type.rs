// The values are `f32`, the target has `u32`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Sum(x: &[f32; n], s: &mut [u32; 1]) {
        s[0] = (0..n).map(|i| x[i]).sum();
    }
}

fn main() {}
