// A parameter that is missing, one that there is not, and one that is named twice.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        kernel for i in 0..n {
            x[i] *= by;
        }
    }

    graph Missing(x: &mut [f32; n]) {
        Scale { x: &mut x };
    }

    graph Unknown(x: &mut [f32; n]) {
        Scale { x: &mut x, by: 2.0, times: 3 };
    }

    graph Twice(x: &mut [f32; n]) {
        Scale { x: &mut x, by: 2.0, by: 3.0 };
    }
}

fn main() {}
