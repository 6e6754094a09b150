// A file with a similar name exists.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basics.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
