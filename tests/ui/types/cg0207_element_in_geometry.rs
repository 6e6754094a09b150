// A grid whose size only the device knows.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Geometry(y: &mut [u32; n], count: &[u32; 1]) {
        basic::increment<<<count[0].div_ceil(64), 64>>>(&mut y, n as u32);
    }
}

fn main() {}
