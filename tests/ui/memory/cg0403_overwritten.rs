#![deny(deprecated)]
// What is written is replaced before anybody reads it.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Replaced(a: &[f32; n], o: &out [f32; n], s: &mut [u32; 4], p: &out [f32; n]) {
        let t: [f32; n] = 0.0;
        copy(&a, &out t);
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&t, &out o, 1.0, n as u32);
        fill(&out o, 2.0);
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&o, &out p, 10.0, n as u32);
        s[1] = 7;
        s[2] = s[0];
        s[1] = s[2];
    }
}

fn main() {}
