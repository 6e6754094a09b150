// A length cannot be read from a buffer.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn count_equal(x: &[u32; count], value: u32, count: Atomic<[u32; 1]>, n: u32);
}

fn main() {}
