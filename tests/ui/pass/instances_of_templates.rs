// CG0104, CG0215: instances with the types of the graph, of its own parameters, and without the block that is fixed.
use graph_runtime::prelude::*;
use tests::pipelines::modules::templates;

cuda_graph! {
    graph Instances<T: Element + DeviceValue + std::ops::AddAssign + std::ops::Mul<Output = T>>(x: &[T; n], y: &mut [T; n], a: T) {
        templates::axpy::<T, 4><<<n.div_ceil(256), 64>>>(&mut y, &x, a, n as u32);
        templates::axpy::<T, 1><<<n.div_ceil(64), 64>>>(&mut y[..1], &x[1..2], a, 1);
    }

    graph Fixed(x: &[f32; n], sums: &out [f64; 2], a: f32) {
        let y: [f32; n] = 1.0;
        templates::axpy::<f32, { 2 + 2 }><<<1, 64>>>(&mut y, &x, a, n as u32);
        templates::tile_sums<<<2>>>(&y, &out sums, n as u32, 2);
        templates::tile_sums<<<2, 64>>>(&y, &out sums, n as u32, 2);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f64, 2.0])?;
    let mut graph = InstancesArgs { x: &x, y: device.zeros::<f64>(2)?, a: 3.0 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.y().to_vec()?, [9.0, 6.0]);
    let x = device.buffer_from(&[1.0_f32; 65])?;
    let mut graph = FixedArgs { x: &x, sums: device.zeros::<f64>(2)?, a: 1.0 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.sums().to_vec()?, [128.0, 2.0]);
    Ok(())
}
