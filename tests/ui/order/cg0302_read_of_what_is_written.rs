// The second kernel reads what the first one writes, and nothing orders them.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Steps(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'scale: basic::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32);
        'again: basic::copy_scaled<<<1, 64>>>(&y, &out z, 2.0, n as u32);
    }
}

fn main() {}
