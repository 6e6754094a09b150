// A value that is passed to a kernel is copied.
use graph_runtime::prelude::*;

#[derive(DeviceValue)]
#[repr(C)]
struct Crop {
    x: u32,
}

fn main() {}
