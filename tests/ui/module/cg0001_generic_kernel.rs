// A template.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment<T>(x: &mut [T; n], n: u32);
}

fn main() {}
