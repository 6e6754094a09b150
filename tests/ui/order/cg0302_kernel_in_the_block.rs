// Elements that a kernel in the block reads.
use graph_runtime::prelude::*;

cuda_graph! {
    #[explicit]
    graph Scaled(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'copy: copy(&x, &out y);
        'twice: kernel for i in 0..n { z[i] = 2.0 * y[i]; }
    }
}

fn main() {}
