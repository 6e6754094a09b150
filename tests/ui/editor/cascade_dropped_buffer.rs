// One report for the first use; the others say nothing new.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Cascade(y: &out [f32; n]) {
        let t: [f32; n] = 1.0;
        drop(t);
        copy(&t, &out y);
        basic::times_constant<<<1, 64>>>(&mut y, 2.0, n as u32);
    }
}

fn main() {}
