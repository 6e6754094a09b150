// A function of Rust is launched.
use graph_runtime::prelude::*;

fn scale(x: &mut [f32], by: f32) {
    x.iter_mut().for_each(|x| *x *= by);
}

cuda_graph! {
    graph Scale(x: &mut [f32; n]) {
        scale<<<1, 64>>>(&mut x, 0.5 + 1.0);
    }
}

fn main() {}
