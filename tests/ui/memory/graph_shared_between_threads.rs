// One thread at a time may talk to the driver about a graph.
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
    std::thread::scope(|scope| {
        scope.spawn(|| graph.synchronize());
    });
    Ok(())
}
