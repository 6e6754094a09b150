// CG0406, CG0407: a `static` of the graph's own body is used in others, dropped by nobody, and is another one in each graph inside.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Counted(x: &mut [u32; 1]) {
        static count: [u32; 1] = 0;
        { let t: [u32; 1] = 1; count[0] += t[0]; drop(t); }
        x[0] += count[0];
    }

    graph Uses(x: &mut [u32; 1], y: &mut [u32; 1]) {
        static passes: [u32; 1] = 10;
        while x[0] < 3 limit 9 { passes[0] += 1; x[0] += 1; }
        if passes[0] > 12 { y[0] = passes[0]; }
        Counted { x: &mut y };
        Counted { x: &mut y };
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = UsesArgs { x: device.zeros(1)?, y: device.zeros(1)? }.build(&device)?;
    graph.launch()?;
    graph.launch()?;
    assert_eq!(graph.passes().to_vec()?, [13]);
    assert_eq!(graph.y().to_vec()?, [13 + 2 + 2]);
    Ok(())
}
