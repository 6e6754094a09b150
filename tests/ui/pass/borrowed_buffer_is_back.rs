// What a graph borrowed is its owner's again when the graph is gone; a moved graph takes its borrow along.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scale(x: &mut [f32; n], by: f32) {
        basic::times_constant<<<n.div_ceil(64), 64>>>(&mut x, by, n as u32);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.buffer_from(&[1.0_f32; 4])?;
    let mut graph = ScaleArgs { x: &mut x, by: 2.0 }.build(&device)?;
    graph.launch()?;
    graph.x_mut()?.write_from(&[3.0; 4])?;
    graph.launch()?;
    std::thread::scope(|scope| scope.spawn(move || graph.synchronize()).join()).expect("the thread ends")?;
    x.write_from(&x.to_vec()?)?;
    assert_eq!(x.to_vec()?, [6.0; 4]);
    Ok(())
}
