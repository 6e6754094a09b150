// Fixed blocks that are left out or written as they are, requirements, and a template by the graph's own type.
use graph_runtime::prelude::*;
use tests::pipelines::modules::templates;

cuda_graph! {
    graph Sums(x: &[f32; n], a: &out [f64; 2], b: &out [f64; 2], block: u32) {
        templates::tile_sums<<<2>>>(&x, &out a, n as u32, 2);
        templates::tile_sums<<<2, 64>>>(&x, &out b, n as u32, 2);
        templates::tile_sums<<<2, (64, 1, 1)>>>(&x, &out a, n as u32, 2);
        templates::tile_sums<<<2, block>>>(&x, &out b, n as u32, 2);
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let x = device.buffer_from(&[1.0_f32; 130])?;
    let (mut a, mut b) = (device.zeros(2)?, device.zeros(2)?);
    let mut graph = SumsArgs { x: &x, a: &mut a, b: &mut b, block: 64 }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.a().to_vec()?, graph.b().to_vec()?), (vec![66.0, 64.0], vec![66.0, 64.0]));
    let error = graph.set_block(32).unwrap_err().to_string();
    assert!(error.contains("kernel `tile_sums` is launched with the block (32), not with its own [CG0215]"), "{error}");
    Ok(())
}
