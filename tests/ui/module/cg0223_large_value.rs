// More bytes by value than a launch takes.
use graph_runtime::prelude::*;

#[cuda_module("kernels/unread.cu")]
#[allow(unread_kernel)]
unsafe mod unread {
    pub fn by_branch(x: [f32; 8_190], n: u64);
}

fn main() {}
