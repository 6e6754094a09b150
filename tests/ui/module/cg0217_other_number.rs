// A number of another size, and one of another kind.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn add_constant(x: &mut [f32; n], by: f32, n: u64);
    pub fn times_constant(x: &mut [f32; n], by: u32, n: u32);
}

fn main() {}
