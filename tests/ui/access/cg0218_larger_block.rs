// The block is larger than the kernel file's launch bounds.
use graph_runtime::prelude::*;

#[cuda_module("kernels/limits.cu")]
unsafe mod limits {
    pub fn narrow(x: &mut [f32; n], n: u32);
}

cuda_graph! {
    graph Doubled(x: &mut [f32; n]) {
        limits::narrow<<<n.div_ceil(256), 256>>>(&mut x, n as u32);
    }
}

fn main() {}
