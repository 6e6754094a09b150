//! Runs that are compared node by node with the CPU, and measured by the device's clock.

use std::time::Duration;

use graph_runtime::prelude::*;
use graph_runtime::{Checked, Error, Tolerance};
use tests::kernels::basic;

use crate::device;

/// CPU bodies that do something else than the kernels.
#[cuda_module("kernels/basic.cu")]
unsafe mod other {
    /// Scales by twice as much.
    pub fn copy_scaled(from: &[f32; n], mut to: Out<[f32; n]>, by: f32, n: u32) {
        let _ = n;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = 2.0 * from * by);
    }

    /// Adds to one element; the kernel adds to `n`.
    #[name = "add_constant"]
    pub fn add_to_first(x: &mut [f32; 1], by: f32, n: u32) {
        let _ = n;
        x[0] += by;
    }
}

cuda_graph! {
    graph Steps(x: &mut [f32; n], y: &mut [f32; n], count: &mut [u32; 1], sum: &mut [f32; 1]) {
        let t: [f32; n] = 1.0;
        'scale: basic::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out y, 2.0, n as u32);
        'turns: while count[0] > 0 limit 8 {
            'add: basic::sum_of_two<<<n.div_ceil(64), 64>>>(&t, &y, &out x, n as u32);
            'back: copy(&x, &out y);
            'down: count[0] -= 1;
        }
        'last: kernel for i in 0..n { x[i] = y[i] + 0.5; }
        'sum: sum[0] = (0..n).map(|i| x[i]).sum();
    }

    graph Scaled(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'right: copy(&x, &out y);
        'wrong: other::copy_scaled<<<n.div_ceil(64), 64>>>(&x, &out z, 1.5, n as u32);
    }

    graph Astray(x: &mut [f32; n], m: usize) {
        'all: other::add_to_first<<<1, 64>>>(&mut x[..1], 1.0, m as u32);
    }
}

#[test]
fn every_node_has_the_result_that_the_cpu_has() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let (mut x, mut y) = (device.buffer_from(&[1.5_f32; 100])?, device.zeros::<f32>(100)?);
    let (mut count, mut sum) = (device.buffer_from(&[3_u32])?, device.zeros::<f32>(1)?);
    let mut graph = StepsArgs { x: &mut x, y: &mut y, count: &mut count, sum: &mut sum }.build(&device)?;
    assert_eq!(graph.run_checked()?, Checked { compared: 7, skipped: Vec::new() });
    assert_eq!((graph.x().to_vec()?, graph.sum().to_vec()?), (vec![6.5; 100], vec![650.0]));
    Ok(())
}

#[test]
fn the_first_node_that_differs_is_named_with_both_values() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let x = device.buffer_from(&(1..=100).map(|i| i as f32).collect::<Vec<_>>())?;
    let (mut y, mut z) = (device.zeros::<f32>(100)?, device.zeros::<f32>(100)?);
    let mut graph = ScaledArgs { x: &x, y: &mut y, z: &mut z }.build(&device)?;
    let Error::Differs(found) = graph.run_checked().unwrap_err() else { panic!("a difference expected") };
    assert_eq!((found.node.label.as_str(), found.buffer.as_str(), found.index, found.count), ("wrong", "z", 0, 100));
    assert_eq!((found.device.as_str(), found.expected.as_str(), found.declared), ("1.5", "3", true));
    assert!(found.node.location.contains("checked.rs:"), "{found}");
    // Half as much is within two thirds of the larger one.
    let wide = Tolerance { relative: 0.67, absolute: 0.0 };
    assert_eq!(graph.run_checked_within(wide)?.compared, 2);
    Ok(())
}

#[test]
fn a_write_outside_of_what_is_declared_names_the_node() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let mut x = device.buffer_from(&[4.0_f32; 10])?;
    let mut graph = AstrayArgs { x: &mut x, m: 3 }.build(&device)?;
    let Error::Differs(found) = graph.run_checked().unwrap_err() else { panic!("a difference expected") };
    assert_eq!((found.node.label.as_str(), found.buffer.as_str(), found.index, found.count), ("all", "x", 1, 2));
    assert_eq!((found.device.as_str(), found.expected.as_str(), found.declared), ("5", "4", false));
    Ok(())
}

#[test]
fn the_devices_clock_measures_each_node_and_each_pass() -> Result<()> {
    let Some(device) = device() else { return Ok(()) };
    let (mut x, mut y) = (device.buffer_from(&[1.5_f32; 100])?, device.zeros::<f32>(100)?);
    let (mut count, mut sum) = (device.buffer_from(&[3_u32])?, device.zeros::<f32>(1)?);
    let mut graph = StepsArgs { x: &mut x, y: &mut y, count: &mut count, sum: &mut sum }.build(&device)?;
    let profile = graph.profile()?;
    assert_eq!(graph.x().to_vec()?, [6.5; 100]);
    let runs: Vec<_> = profile.nodes().iter().map(|node| (node.name.label.as_str(), node.runs)).collect();
    let expected =
        [("fill t", 1), ("scale", 1), ("turns", 4), ("add", 3), ("back", 3), ("down", 3), ("last", 1), ("sum", 1)];
    assert_eq!(runs, expected);
    assert!(profile.nodes().iter().all(|node| node.total > Duration::ZERO), "{profile}");
    assert_eq!(profile.loops().iter().map(|one| one.passes.len()).collect::<Vec<_>>(), [3]);
    println!("{profile}");
    Ok(())
}
