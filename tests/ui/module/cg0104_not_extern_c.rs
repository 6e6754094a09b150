// A C++ kernel has another name in the compiled module.
use graph_runtime::prelude::*;

#[cuda_module("kernels/mangled.cu")]
pub unsafe mod mangled {
    pub fn twice(x: &mut [f32; n], n: u32);
}

fn main() {}
