// A pointer is no plain data.
use graph_runtime::prelude::*;

#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
struct Span {
    first: *const f32,
    length: u32,
}

fn main() {}
