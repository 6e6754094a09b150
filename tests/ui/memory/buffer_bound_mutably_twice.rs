// Two graphs cannot write one borrowed buffer.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    let mut first = ScaleArgs { x: &mut x, by: 2.0 }.build(&device)?;
    let mut second = ScaleArgs { x: &mut x, by: 3.0 }.build(&device)?;
    first.launch()?;
    second.launch()
}
