// The product of the sizes is larger than the launch bounds.
use graph_runtime::prelude::*;

#[cuda_module("kernels/limits.cu")]
unsafe mod limits {
    pub fn narrow(x: &mut [f32; n], n: u32);
}

cuda_graph! {
    graph Doubled(x: &mut [f32; n]) {
        limits::narrow<<<1, (16, 8)>>>(&mut x, n as u32);
        limits::narrow<<<1, (16, 9)>>>(&mut x, n as u32);
    }
}

fn main() {}
