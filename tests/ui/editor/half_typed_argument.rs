// The cursor is behind `&`; the graph is still a type.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Half(x: &mut [f32; n], y: &out [f32; n]) {
        basic::copy_scaled<<<1, 64>>>(&x, &, 2.0, n as u32);
        fill(&out y, 0.0);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (device.zeros::<f32>(4)?, device.zeros::<f32>(4)?);
    HalfArgs { x: &mut x, y: &mut y }.build(&device)?.launch()
}
