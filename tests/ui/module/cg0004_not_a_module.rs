// The attribute stands in front of something else.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub fn increment(x: &mut [u32]) {
    x[0] += 1;
}

fn main() {}
