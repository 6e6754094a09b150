// The same as a warning, of which rustc makes an error here.
#![deny(deprecated)]
use graph_runtime::prelude::*;

#[cuda_module("kernels/unread.cu")]
unsafe mod unread {
    pub fn by_macro(y: Out<[f32; n]>, x: &[f32; n], n: u32);
    #[allow(unread_kernel)]
    pub fn by_branch(x: &mut [f32; n], n: u32);
}

fn main() {}
