// A buffer without a mode, arguments in a row, and `..`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        kernel for i in 0..n {
            x[i] *= by;
        }
    }

    graph Bare(x: &mut [f32; n]) {
        Scale { x, by: 2.0 };
    }

    graph Row(x: &mut [f32; n]) {
        Scale(&mut x, 2.0);
    }

    graph Rest(x: &mut [f32; n]) {
        Scale { x: &mut x, .. };
    }
}

fn main() {}
