// What the unknown kernel would write counts as written.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(x: &[f32; n], y: &out [f32; n]) {
        let t: [f32; n];
        basic::scale<<<1, 64>>>(&x, &out t, 2.0, n as u32);
        basic::sum_of_two<<<1, 64>>>(&x, &t, &out y, n as u32);
    }
}

fn main() {}
