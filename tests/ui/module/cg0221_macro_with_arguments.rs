// Kernels that only a compiler can read, where that is to be an error.
use graph_runtime::prelude::*;

#[deny(unread_kernel)]
#[cuda_module("kernels/unread.cu")]
unsafe mod unread {
    pub fn by_macro(y: Out<[f32; n]>, x: &[f32; n], n: u32);
    pub fn by_branch(x: &mut [f32; n], n: u32);
    pub fn plain(x: &mut [f32; n], n: u32);
}

fn main() {}
