// A parameter is missing.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn copy_scaled(from: &[f32; n], to: Out<[f32; n]>, n: u32);
}

fn main() {}
