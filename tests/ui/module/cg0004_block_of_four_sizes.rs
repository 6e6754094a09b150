// A block has at most three sizes.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[block(8, 8, 8, 2)]
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
