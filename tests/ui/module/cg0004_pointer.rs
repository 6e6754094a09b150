// Neither does a pointer say.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: *mut u32, n: u32);
}

fn main() {}
