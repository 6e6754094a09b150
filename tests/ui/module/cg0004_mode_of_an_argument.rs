// `&out` is how an argument is written.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn copy_scaled(from: &[f32; n], to: &out [f32; n], by: f32, n: u32);
}

fn main() {}
