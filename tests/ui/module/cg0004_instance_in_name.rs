// The name of an instance is made from the types.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[name = "increment<float>"]
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
