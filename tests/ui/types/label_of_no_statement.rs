// Labels become constants of the graph.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Count(x: &mut [u32; 1]) {
        'down: while x[0] > 0 { x[0] -= 1; }
    }
}

fn main() -> Result<()> {
    let device = Device::cpu();
    let mut x = device.zeros::<u32>(1)?;
    let graph = CountArgs { x: &mut x }.build(&device)?;
    graph.iterations(Count::DWON).map(drop)
}
