// The cursor is behind the name of a buffer to be.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Half(x: &mut [f32; n]) {
        let t
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    HalfArgs { x: &mut x }.build(&device)?.launch()
}
