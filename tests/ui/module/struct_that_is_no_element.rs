// A kernel is declared for elements that are no plain data.
use graph_runtime::prelude::*;

#[derive(Clone, Copy)]
pub struct Jitter {
    angle: f32,
}

#[cuda_module("kernels/basic.cu")]
pub unsafe mod basic {
    use super::Jitter;

    pub fn increment(x: &mut [Jitter; n], n: u32);
}

fn main() {}
