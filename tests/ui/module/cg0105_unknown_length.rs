// A length names no value parameter.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; count], n: u32);
}

fn main() {}
