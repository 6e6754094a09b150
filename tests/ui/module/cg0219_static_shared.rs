// More shared memory than a kernel gets without its launch asking for it.
use graph_runtime::prelude::*;

#[cuda_module("kernels/limits.cu")]
pub unsafe mod limits {
    pub fn wide(x: &mut [f32; n], n: u32);
}

fn main() {}
