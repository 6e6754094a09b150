// Arguments of the attribute that are still to come.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu", define(N = 4), include("inc"))]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
