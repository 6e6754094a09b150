// The cursor is behind the word `graph`; the next graph is untouched.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph

    graph Whole(x: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    WholeArgs { x: &mut x }.build(&device)?.launch()
}
