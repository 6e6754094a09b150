// The bodies of an explicit graph are explicit too.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    #[explicit]
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], left: &mut [u32; 1]) {
        while left[0] > 0 limit 10 {
            'down: left[0] -= 1;
            'halve: basic::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32);
            'back: copy(&y, &out x);
        }
    }
}

fn main() {}
