// The declaration fixes a larger block than the kernel file allows.
use graph_runtime::prelude::*;

#[cuda_module("kernels/limits.cu")]
pub unsafe mod limits {
    #[block(16, 16)]
    pub fn narrow(x: &mut [f32; n], n: u32);
}

fn main() {}
