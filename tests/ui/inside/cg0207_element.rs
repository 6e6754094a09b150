// A value cannot be an element of a buffer.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        kernel for i in 0..n {
            x[i] *= by;
        }
    }

    graph Wrong(x: &mut [f32; n], by: &[f32; 1]) {
        Scale { x: &mut x, by: by[0] };
    }
}

fn main() {}
