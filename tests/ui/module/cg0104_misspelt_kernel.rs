// The file has a kernel with a similar name.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn incremnt(x: &mut [u32; n], n: u32);
}

fn main() {}
