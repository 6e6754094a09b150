// A module is a promise.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
