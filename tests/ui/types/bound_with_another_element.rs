// A buffer of another element type is bound.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f64>(4)?;
    ScaleArgs { x: &mut x, by: 2.0 }.build(&device)?.launch()
}
