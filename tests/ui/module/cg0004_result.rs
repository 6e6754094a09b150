// A kernel returns nothing.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32) -> u32;
}

fn main() {}
