// A name that no kernel file has.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.c")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
