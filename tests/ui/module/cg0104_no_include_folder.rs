// The folder of headers is not there.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu", include("inc"))]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
