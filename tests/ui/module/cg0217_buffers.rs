// What is written is declared as read, and a number as a buffer.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &[u32; n], n: u32);
    pub fn add_constant(x: &mut [f32; n], by: &[f32; 1], n: u32);
}

fn main() {}
