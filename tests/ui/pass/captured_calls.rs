// CG0202, CG0501, CG0802: captures in bodies, on parts that do not overlap, with objects used alone and results.
use std::sync::Arc;

use graph_runtime::prelude::*;

pub struct Library {
    by: f32,
}

cuda_graph! {
    graph Captured(x: &mut [f32; 4], comm: &mut Vec<u32>, library: &Library, n: usize) {
        while x[0] < 8.0 limit 5 {
            capture(&x[..n], &mut x[n..], |stream, _a, _b| stream.leave_empty(), cpu = |a, b| b[0] += library.by * a[0]);
            if x[2] > 2.0 {
                capture(&mut x[..1], |stream, _x| stream.leave_empty(), cpu = |x| -> std::result::Result<(), String> { x[0] *= 2.0; Ok(()) });
            }
        }
        capture(&mut comm, |stream, comm| { comm.push(1); stream.leave_empty() }, cpu = |comm| comm.push(n as u32));
        capture(
            &mut comm,
            &mut x[3..],
            |stream, _comm, _x| stream.leave_empty(),
            cpu = |comm, x| { comm.push(7); x[0] = comm.iter().sum::<u32>() as f32; }
        );
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let library = Arc::new(Library { by: 2.0 });
    let mut x = device.buffer_from(&[1.0_f32, 0.0, 0.0, 0.0])?;
    let mut graph = CapturedArgs { x: &mut x, comm: Vec::new(), library, n: 2 }.build(&device)?;
    graph.launch()?;
    // x[2]: 2, 4, 8, 16; x[0]: 1, 2, 4, 8.
    assert_eq!(graph.x().to_vec()?, [8.0, 0.0, 16.0, 9.0]);
    Ok(())
}
