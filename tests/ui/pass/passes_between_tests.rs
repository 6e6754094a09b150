// CG0207, CG0403, CG0503, CG0504: `every` by a host value, with names that are back, a `limit` that is a multiple, and what a test reads
// replaced in the pass in front of it.
#![deny(deprecated)]
use graph_runtime::prelude::*;

cuda_graph! {
    graph Passes(left: &mut [u32; 1], x: &mut [f32; 1], k: u32) {
        let y: [f32; 1] = 0.0;
        let seen: [f32; 1];
        'swapped: loop limit 12 every 2 {
            left[0] -= 1;
            y[0] = x[0] + 1.0;
            seen[0] = y[0];
            swap(&mut x, &mut y);
            if left[0] == 0 || seen[0] > 100.0 { break; }
        }
        'tested: while x[0] < 20.0 limit 4 * k every k { x[0] += 3.0; }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let mut graph = PassesArgs { left: device.buffer_from(&[4_u32])?, x: device.zeros::<f32>(1)?, k: 3 }.build(&device)?;
    graph.launch()?;
    assert_eq!((graph.iterations(Passes::SWAPPED)?, graph.iterations(Passes::TESTED)?), (4, 6));
    assert_eq!(graph.x().to_vec()?, [22.0]);
    Ok(())
}
