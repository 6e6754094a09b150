// CG0501, CG0802: events in host passes, around loops, for some buffers only; an event is passed on to a graph.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Told(x: &mut [u32; 1], e: &Event) {
        x[0] += 1;
        record(&e);
    }

    graph Events(x: &mut [u32; 1], y: &mut [u32; 4], e: &Event, done: &Event) {
        for i in 0..2 {
            wait(&e, &y[2 * i..2 * i + 2]);
            fill(&out y[2 * i..2 * i + 2], 5);
            record(&e, &x);
        }
        while x[0] < 3 limit 9 { x[0] += 1; }
        record(&done);
        Told { x: &mut x, e: &done };
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (e, done) = (device.event()?, device.event()?);
    let (mut x, mut y) = (device.zeros(1)?, device.zeros(4)?);
    let mut graph = EventsArgs { x: &mut x, y: &mut y, e: &e, done: done.clone() }.build(&device)?;
    graph.launch()?;
    done.synchronize()?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![4], vec![5; 4]));
    Ok(())
}
