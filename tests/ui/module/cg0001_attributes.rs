// Attributes of kernels that are still to come.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    #[name = "ns::increment"]
    pub fn increment(x: &mut [u32; n], n: u32);
    #[block(64)]
    #[effects]
    pub fn add_constant(x: &mut [f32; n], by: f32, n: u32);
}

fn main() {}
