// The kernel file has no template of this name.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment<T: Element>(x: &mut [T; n], n: u32);
}

fn main() {}
