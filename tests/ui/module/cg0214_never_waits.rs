// Nothing in the kernel file waits.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[waits]
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
