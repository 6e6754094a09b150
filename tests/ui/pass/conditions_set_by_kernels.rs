// One kernel sets the condition: beside others, within a host `if`, in a loop within a loop.
use graph_runtime::prelude::*;
use tests::kernels::basic;
use tests::pipelines::conditions::setting;

cuda_graph! {
    graph Conditions(x: &mut [f32; n], passes: &mut [u32; 1], quick: bool) {
        while |again| {
            basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
            if quick {
                setting::halve<<<1>>>(&mut x, &mut passes, 4.0, again, n as u32);
            } else {
                setting::halve<<<1>>>(&mut x, &mut passes, 2.0, again, n as u32);
            }
        }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (mut x, mut passes) = (device.buffer_from(&[15.0_f32])?, device.zeros::<u32>(1)?);
    let mut graph = ConditionsArgs { x: &mut x, passes: &mut passes, quick: true }.build(&device)?;
    graph.launch()?;
    // 15 -> 8 -> 4.5 -> 2.75
    assert_eq!((graph.x().to_vec()?, graph.passes().to_vec()?), (vec![2.75], vec![3]));
    Ok(())
}
