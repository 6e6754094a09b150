// A graph that takes another's place is gone: two graphs would write one buffer.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = ScaleArgs { x: device.zeros::<f32>(4)?, by: 2.0 }.build(&device)?;
    let mut other = ScaleArgs { x: device.zeros::<f32>(4)?, by: 3.0 }.build(&device)?;
    graph.update_from(other)?;
    other.launch()
}
