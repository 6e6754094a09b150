// Rust's own layout is nobody's business.
use graph_runtime::prelude::*;

#[derive(Clone, Copy, DeviceValue)]
struct Crop {
    x: u32,
    y: u32,
}

fn main() {}
