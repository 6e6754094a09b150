// An argument that the attribute does not have.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu", option("--use_fast_math"))]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
