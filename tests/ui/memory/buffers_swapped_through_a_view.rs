// A graph's buffer cannot be exchanged behind its back.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut other = device.zeros::<f32>(4)?;
    let x = device.zeros::<f32>(4)?;
    let mut graph = ScaleArgs { x, by: 2.0 }.build(&device)?;
    std::mem::swap(&mut *graph.x_mut()?, &mut other);
    graph.launch()
}
