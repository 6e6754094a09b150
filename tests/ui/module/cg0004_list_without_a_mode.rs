// A list says how its buffers are used.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: List<[u32]>, n: u32);
}

fn main() {}
