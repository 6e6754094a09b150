// The declaration is refused; its uses say nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(x: &[f32; n], y: &out [f32; n], w: usize) {
        let t: [f32; (4, w, 1, 1)];
        basic::copy_scaled<<<1, 64>>>(&x, &out t, 2.0, n as u32);
        basic::sum_of_two<<<1, 64>>>(&x, &t, &out y, n as u32);
    }
}

fn main() {}
