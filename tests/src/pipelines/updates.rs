//! What a setter or a rebind touches, and that the results are those of the values.

use graph_runtime::prelude::*;
use graph_runtime::{Touched, Update};

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph Steps(x: &[f32; n], y: &out [f32; n], z: &out [f32; n], by: f32, most: usize, on: bool, n: usize, part: u32) {
        'scale: basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out y, by, n as u32);
        'apart: basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out z, 2.0, n as u32);
        while y[0] < by * 8.0 limit most {
            'grow: basic::add_constant<<<n.div_ceil(32), 32>>>(&mut y, by, n as u32);
        }
        'some: basic::times_constant<<<n.div_ceil(32), 32>>>(&mut z[..n], by, part);
        if on { 'more: basic::add_constant<<<n.div_ceil(32), 32>>>(&mut z, 1.0, n as u32); }
    }
}

/// The labels of the nodes that the last change has touched.
fn labels(touched: &Touched) -> Vec<&str> {
    touched.labels().collect()
}

fn patched(update: Option<&Update>) -> Vec<&str> {
    match update {
        Some(Update::Patched(touched)) => labels(touched),
        other => panic!("{other:?}"),
    }
}

/// Only the nodes that are passed a value are touched; others are looked at once an amount or the structure changes.
pub fn what_is_touched(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32, -1.0])?;
    let (y, z) = (device.zeros::<f32>(2)?, device.zeros::<f32>(2)?);
    let mut graph = StepsArgs { x: &x, y, z, by: 2.0, most: 100, on: false, n: 2, part: 2 }.build(device)?;
    run(&mut graph)?;
    // 2, then 4, 6, … until it is 16: the second element is 4 less.
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), (vec![16.0, 12.0], vec![4.0, -4.0]));
    graph.set_by(3.0)?;
    assert_eq!(patched(graph.last_update()), ["scale", "while", "grow", "some"]);
    run(&mut graph)?;
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), (vec![24.0, 18.0], vec![6.0, -6.0]));
    graph.set_most(1)?;
    assert!(matches!(graph.last_update(), Some(Update::Updated(touched)) if labels(touched) == ["while"]));
    run(&mut graph)?;
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), (vec![6.0, 0.0], vec![6.0, -6.0]));
    graph.set_by(3.0)?;
    assert_eq!(patched(graph.last_update()), [""; 0], "the same value");
    graph.set_on(true)?;
    let Some(Update::Rebuilt { reason, .. }) = graph.last_update() else { panic!("{:?}", graph.last_update()) };
    assert!(reason.starts_with("`on` is structural: it decides by `on` at "), "{reason}");
    run(&mut graph)?;
    assert_eq!((graph.y().to_vec()?, graph.z().to_vec()?), (vec![6.0, 0.0], vec![7.0, -5.0]));
    Ok(())
}

/// A value by which a kernel's declaration says how many elements it touches is looked at again.
pub fn how_much_is_touched(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32, 2.0, 3.0])?;
    let (y, z) = (device.zeros::<f32>(3)?, device.zeros::<f32>(3)?);
    let mut graph = StepsArgs { x: &x, y, z, by: 4.0, most: 0, on: false, n: 3, part: 3 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.z().to_vec()?, [8.0, 16.0, 24.0]);
    graph.set_part(1)?;
    assert!(matches!(graph.last_update(), Some(Update::Updated(touched)) if labels(touched) == ["some"]));
    run(&mut graph)?;
    assert_eq!(graph.z().to_vec()?, [8.0, 4.0, 6.0]);
    let before = graph.last_update().cloned();
    let long = graph.set_part(4).unwrap_err().to_string();
    assert!(long.contains("`z[0..3]` has 3 elements") && long.contains("[CG0203]"), "{long}");
    assert_eq!(graph.last_update(), before.as_ref(), "nothing has changed");
    run(&mut graph)?;
    assert_eq!(graph.z().to_vec()?, [8.0, 4.0, 6.0]);
    Ok(())
}
