// A struct by value that has another size in the kernel file.
use graph_runtime::prelude::*;

#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
pub struct Rect {
    x: u32,
    y: u32,
    width: u32,
}

#[cuda_module("kernels/limits.cu")]
pub unsafe mod limits {
    pub fn inside(x: &mut [f32; n], part: Rect, n: u32);
}

fn main() {}
