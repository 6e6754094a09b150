// CUDA C++ aligns fields.
use graph_runtime::prelude::*;

#[derive(Clone, Copy, DeviceValue)]
#[repr(C, packed)]
struct Crop {
    tag: u8,
    x: u32,
}

fn main() {}
