// The cursor is behind the dot of a host expression.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Half(x: &mut [f32; n]) {
        basic::add_constant<<<n., 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    HalfArgs { x: &mut x }.build(&device)?.launch()
}
