// A requirement is a condition.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[requires(n % 4)]
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
