// A graph whose body is refused is still a type with all its methods.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Refused(x: &mut [f32; n], by: f32) {
        'double: basic::times_constant<<<1, 64>>>(&mut x, by, n as u32);
        basic::add_constant<<<1, 4096>>>(&mut x, by, n as u32) after 'double;
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(4)?;
    let mut graph = RefusedArgs { x: &mut x, by: 2.0 }.build(&device)?;
    graph.set_by(3.0)?;
    graph.launch()?;
    let values: Vec<f32> = graph.x().to_vec()?;
    graph.x_mut()?.write_from(&values)?;
    graph.exit(Refused::DOUBLE).map(drop)
}
