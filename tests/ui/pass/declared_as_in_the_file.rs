// CG0217: other names, signs and `mut` of the same size; a type that only the compiled file knows.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
unsafe mod basic {
    pub fn add_constant(values: &mut [f32; count], step: f32, count: i32);
    pub fn copy_scaled(from: &mut [f32; n], to: Out<[f32; n]>, by: f32, n: u32);
}

#[cuda_module("kernels/odd.cu")]
unsafe mod odd {
    pub fn narrow(x: &mut [u32; n], n: u64);
}

pub fn main() -> Result<()> {
    Ok(())
}
