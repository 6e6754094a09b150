// Two parameters of one name.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn copy_scaled(x: &[f32; n], x: Out<[f32; n]>, by: f32, n: u32);
}

fn main() {}
