// The function that sets conditions takes a handle of 8 bytes, whatever the file declares.
use graph_runtime::prelude::*;

#[cuda_module("kernels/setter.cu")]
unsafe mod setter {
    pub fn step(x: &mut [u32; 1], again: Condition);
}

fn main() {}
