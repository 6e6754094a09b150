// The kernels are declared in the module.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic;

fn main() {}
