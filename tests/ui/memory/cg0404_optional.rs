// What may be switched off may not have written.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Later(x: &mut [f32; n]) {
        let t: [f32; n];
        #[optional]
        'scale: basic::copy_scaled<<<1, 64>>>(&x, &out t, 2.0, n as u32);
        copy(&t, &out x);
    }
}

fn main() {}
