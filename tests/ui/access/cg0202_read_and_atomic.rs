// Atomic updates agree among each other, not with a read.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Count(x: &mut [u32; 8]) {
        basic::count_equal<<<1, 8>>>(&x, 7, &atomic x[0..1], 8);
    }
}

fn main() {}
