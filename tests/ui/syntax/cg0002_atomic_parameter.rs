// `&atomic` is written at the launch.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Counts(x: &[u32; n], count: &atomic [u32; 1]) {
        basic::count_equal<<<1, 64>>>(&x, 7, &atomic count, n as u32);
    }
}

fn main() {}
