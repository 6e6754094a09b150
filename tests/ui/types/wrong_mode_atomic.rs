// The kernel declares `Atomic`.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Count(x: &[u32; n], count: &mut [u32; 1]) {
        basic::count_equal<<<1, 64>>>(&x, 7, &mut count, n as u32);
    }
}

fn main() {}
