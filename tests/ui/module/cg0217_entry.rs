// The entry of a PTX file has other sizes.
use graph_runtime::prelude::*;

#[cuda_module("kernels/scale.ptx")]
pub unsafe mod scale {
    pub fn triple(x: &[f32; n], y: Out<[f32; n]>, n: usize);
}

fn main() {}
