// A graph from a user's macro: expressions, names and repeated statements.
use graph_runtime::prelude::*;
use tests::kernels::basic;

macro_rules! powers {
    ($name:ident, $kernel:path, $grid:expr, $($by:literal)*) => {
        cuda_graph! {
            graph $name(x: &mut [f32; n]) {
                $($kernel<<<$grid, 64>>>(&mut x, $by, n as u32);)*
            }
        }
    };
}

powers!(Powers, basic::times_constant, 1 + 1, 2.0 3.0);

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = PowersArgs { x: device.buffer_from(&[1.0_f32; 4])? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [6.0; 4]);
    Ok(())
}
