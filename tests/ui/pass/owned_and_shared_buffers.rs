// By value, through an `Arc` for reading, and given back.
use graph_runtime::prelude::*;
use tests::kernels::basic;

cuda_graph! {
    graph Scaled(from: &[f32; n], to: &out [f32; n], by: f32) {
        basic::copy_scaled<<<n.div_ceil(64), 64>>>(&from, &out to, by, n as u32);
    }
}

fn build(device: &Device) -> Result<Scaled<'static>> {
    let from = std::sync::Arc::new(device.buffer_from(&[1.0_f32; 4])?);
    ScaledArgs { from, to: device.zeros(4)?, by: 2.0 }.build(device)
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = build(&device)?;
    graph.launch()?;
    let old = graph.rebind_to(device.zeros(4)?)?;
    assert_eq!(old.to_vec()?, [2.0; 4]);
    graph.set_by(5.0)?;
    graph.launch()?;
    assert_eq!(graph.into_parts().to.to_vec()?, [5.0; 4]);
    Ok(())
}
