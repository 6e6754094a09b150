//! A graph beside the launches that it replaces, on the device.

use graph_runtime::prelude::*;
use graph_runtime::{Compared, Error, OldCode};
use tests::launcher::Launcher;

use crate::device;

cuda_graph! {
    graph Twice(x: &mut [f32; n], y: &out [f32; n], by: f32) {
        copy(&x, &out y);
        kernel for i in 0..n { x[i] = 2.0 * x[i] + by; }
    }
}

#[test]
fn the_graph_leaves_what_the_launches_leave() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let launcher = Launcher::new(&device).unwrap();
    let start: Vec<f32> = (0..1000_u16).map(f32::from).collect();
    let (mut x, mut y) = (device.buffer_from(&start)?, device.buffer_from(&[-1.0_f32; 1000])?);
    let mut graph = TwiceArgs { x: &mut x, y: &mut y, by: 3.0 }.build(&device)?;
    // `y` is copied first, by a stream of cudarc's: both launches are in the order of the stream that is given.
    let old = |old: &OldCode<'_>, by: f32| -> std::result::Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut x = old.view_mut::<f32>("x").map_err(|error| text(&error))?;
        let mut y = old.view_mut::<f32>("y").map_err(|error| text(&error))?;
        let stream = old.stream().map_err(|error| text(&error))?;
        // SAFETY: both views are of 1000 elements, and the copy is in the stream.
        let queue = unsafe { stream.cuda_stream() };
        queue.memcpy_dtod(&x.as_view(), &mut y.slice_mut(..)).map_err(|error| text(&error))?;
        launcher.twice(stream, &x.slice_mut(..), by)
    };
    assert_eq!(graph.compare_with(|side| old(side, 3.0))?, Compared { buffers: 2, elements: 2000 });
    let once: Vec<f32> = start.iter().map(|x| 2.0 * x + 3.0).collect();
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (once.clone(), start));
    let Err(Error::Unlike(unlike)) = graph.compare_with(|side| old(side, 3.5)) else { panic!("expected a difference") };
    assert_eq!((unlike.buffer.as_str(), unlike.index, unlike.count), ("x", 0, 1000));
    assert_eq!((unlike.old.as_str(), unlike.new.as_str()), ("9.5", "9"));
    assert_eq!(graph.x().to_vec()?, once.iter().map(|x| 2.0 * x + 3.0).collect::<Vec<_>>());
    let told = graph.compare_with(|_| Err("not today")).unwrap_err().to_string();
    assert_eq!(told, "the old code beside graph `Twice` failed: not today");
    Ok(())
}
