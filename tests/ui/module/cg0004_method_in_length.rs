// Lengths are arithmetic.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n.isqrt()], n: u32);
}

fn main() {}
