// Elements of another size and of another kind, and one that is written and `const`.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn copy_scaled(from: &[f64; n], to: Out<[f32; n]>, by: f32, n: u32);
    pub fn count_equal(x: &[f32; n], value: u32, count: Atomic<[u32; 1]>, n: u32);
    pub fn sum_of_two(a: &[f32; n], b: &mut [f32; n], c: Out<[f32; n]>, n: u32);
}

fn main() {}
