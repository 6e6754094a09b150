// A graph is passed ranges and computed values, and one parameter is missing.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Move(from: &[f32; n], to: &out [f32; n], by: f32) {
        kernel for i in 0..n {
            to[i] = by * from[i];
        }
    }

    graph Value(x: &mut [f32; 8]) {
        Move { from: &x[..4], to: &out x[4..] };
    }

    graph Buffer(x: &mut [f32; 8], by: f32) {
        Move { to: &out x[4..], by: 2.0 * by };
    }
}

fn main() {}
