// Nothing in the kernel file sets a condition.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], again: Condition, n: u32);
}

fn main() {}
