// More shared memory than a block has on any device.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Adds(x: &mut [f32; n], wide: bool) {
        if wide { basic::add_constant<<<1, 32, 300_000>>>(&mut x, 1.0, n as u32); }
        basic::add_constant<<<1, 32, 232_448>>>(&mut x, 1.0, n as u32);
    }
}

fn main() {}
