// CG0217, CG0218: other names, signs, and types that only rustc or only the compiled file knows; a block as large as the file allows.
use graph_runtime::prelude::*;

#[cuda_module("kernels/basic.cu")]
unsafe mod basic {
    pub fn add_constant(values: &mut [f32; count], step: f32, count: i32);
    pub fn copy_scaled(from: &[[f32; 1]; n], to: Out<[f32; n]>, by: f32, n: u32);
}

#[cuda_module("kernels/odd.cu")]
unsafe mod odd {
    pub fn narrow(x: &mut [u32; n], n: u64);
}

#[derive(Clone, Copy, DeviceValue)]
#[repr(C)]
struct Part {
    corner: [u32; 2],
    size: [u32; 2],
}

#[cuda_module("kernels/limits.cu")]
unsafe mod limits {
    use super::Part;

    #[block(128)]
    pub fn narrow(x: &mut [f32; n], n: u32);
    pub fn inside(x: &mut [f32; pitch], part: Part, pitch: u32);
}

#[cuda_module("kernels/limits.cu")]
unsafe mod free {
    pub fn narrow(x: &mut [f32; n], n: u32);
}

cuda_graph! {
    graph Doubled(x: &mut [f32; n]) {
        free::narrow<<<n.div_ceil(128), 128>>>(&mut x, n as u32);
        free::narrow<<<n.div_ceil(128), (16, 8)>>>(&mut x, n as u32);
    }
}

pub fn main() -> Result<()> {
    Ok(())
}
