// No device has such clusters.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Add(x: &mut [f32; n]) {
        #[cluster(8, 4)]
        basic::add_constant<<<(8, 4), 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
