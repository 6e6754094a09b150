// A graph that borrows cannot leave the function that owns the buffer.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn build(device: &Device) -> Result<Scale<'static>> {
    let mut x = device.zeros::<f32>(4)?;
    ScaleArgs { x: &mut x, by: 2.0 }.build(device)
}

fn main() {}
