// An array whose length is a parameter is meant to be a buffer.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    pub fn increment(x: [u32; n], n: u32);
}

fn main() {}
