// The cursor is behind `::`.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Half(x: &mut [f32; n]) {
        tests::kernels::basic::
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    HalfArgs { x: &mut x }.build(&device)?.launch()
}
