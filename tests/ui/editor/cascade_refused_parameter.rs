// The parameter is refused; its uses and its length say nothing.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(x: &[f32; (h, w, 1, 1)], y: &mut [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&x, &out y, 2.0, n as u32);
        if x[0] > 1.0 { fill(&out y, 0.0); }
    }
}

fn main() {}
