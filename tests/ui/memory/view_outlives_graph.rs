// A view borrows its graph.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.zeros::<f32>(4)?;
    let graph = ScaleArgs { x, by: 2.0 }.build(&device)?;
    let view = graph.x();
    drop(graph);
    view.to_vec().map(drop)
}
