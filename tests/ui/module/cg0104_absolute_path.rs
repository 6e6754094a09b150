// The path would be right on one machine only.
use graph_runtime::prelude::*;

#[cuda_module("/opt/kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: &mut [u32; n], n: u32);
}

fn main() {}
