// A labelled loop answers by its name.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(x: &mut [u32; 1]) {
        'count_down: while x[0] > 0 limit 100 { x[0] -= 1; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = CountArgs { x: device.buffer_from(&[7_u32])? }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.iterations(Count::COUNT_DOWN)?, 7);
    assert_eq!(graph.exit(Count::COUNT_DOWN)?, Exit::Condition);
    Ok(())
}
