// CG0102, CG0303: what waits for all passes of a `for`, for a statement of the same pass, and for a graph inside.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Set(x: &out [u32; 1], to: u32) {
        fill(&out x, to);
    }

    graph Ordered(x: &mut [u32; 2], y: &mut [u32; 1]) {
        'passes: for i in 0..2 {
            'inner: fill(&out x[i..=i], 3);
            y[0] += 1 after 'inner;
        }
        'set: Set { x: &out y, to: 7 } after 'passes;
        x[0] += 1 after 'set;
        if x[1] > 2 {
            'first: x[1] = 9;
            y[0] += 1 after 'first;
        } after 'set, 'passes;
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = OrderedArgs { x: device.zeros(2)?, y: device.zeros(1)? }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![4, 9], vec![8]));
    Ok(())
}
