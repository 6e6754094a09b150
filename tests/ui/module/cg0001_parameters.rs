// Parameters of kernels that are still to come.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn count_equal(x: &[u32; n], value: u32, count: Atomic<[u32; (n, 2)]>, n: u32);
}

fn main() {}
