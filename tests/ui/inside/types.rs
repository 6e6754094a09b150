// Another mode, another element, another type of value, and no graph at all.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        kernel for i in 0..n {
            x[i] *= by;
        }
    }

    graph Mode(x: &mut [f32; n]) {
        Scale { x: &x, by: 2.0 };
    }

    graph Element(x: &mut [f64; n]) {
        Scale { x: &mut x, by: 2.0 };
    }

    graph Value(x: &mut [f32; n], by: usize) {
        Scale { x: &mut x, by };
    }

    graph Expression(x: &mut [f32; n], by: usize) {
        Scale { x: &mut x, by: by + 1 };
    }

    graph Unknown(x: &mut [f32; n]) {
        Scales { x: &mut x, by: 2.0 };
        Scales { x: &mut x, by: 2.0 };
    }
}

fn main() {}
