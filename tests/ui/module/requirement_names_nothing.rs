// A requirement names no parameter.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[requires(m % 4 == 0)]
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
