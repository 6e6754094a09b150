// A graph has `x`, `x_mut` and `rebind_x` for a buffer, `set_n` for a host value, and `outline`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Methods(x: &mut [f32; n], x_mut: &[f32; n], outline: &out [f32; n]) {
        copy(&x_mut, &out x);
        copy(&x, &out outline);
    }
}

fn main() {}
