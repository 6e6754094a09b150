// The path leads over a third statement.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'first: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32) after 'third;
        basic::copy_scaled<<<1, 64>>>(&x, &out y, 2.0, n as u32);
        'third: basic::copy_scaled<<<1, 64>>>(&y, &out z, 2.0, n as u32);
    }
}

fn main() {}
