//! `assert!` on the device, and `#[optional]` statements.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph Checked(x: &mut [f32; n], info: &[i32; 3], tile: usize, bound: f32) {
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut x, 1.0, n as u32);
        assert!(info[tile] == 0, "tile {tile}: not positive definite");
        assert!(x[0] < bound);
    }

    /// Only passes that are made are checked.
    graph Passes(left: &mut [i32; 1], most: i32) {
        while left[0] > 0 limit 10 {
            assert!(left[0] <= most, "{} is more than {most}", "left");
            left[0] -= 1;
        }
    }

    graph Switched(x: &mut [f32; n], y: &mut [u32; 4], passes: u64) {
        #[optional]
        'twice: basic::times_constant<<<n.div_ceil(32), 32>>>(&mut x, 2.0, n as u32);
        #[optional]
        'bump: x[0] += 100.0;
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut x, 1.0, n as u32);
        loop limit passes every 2 {
            #[optional]
            'count: basic::increment<<<1, 4>>>(&mut y, 4);
        }
    }
}

/// What does not hold is an error of who waits, with the place and the message; the next launch starts clean.
pub fn assertions(device: &Device) -> Result<()> {
    let mut x = device.zeros::<f32>(40)?;
    let info = device.buffer_from(&[0, 7, 0])?;
    let mut graph = CheckedArgs { x: &mut x, info, tile: 0, bound: 100.0 }.build(device)?;
    run(&mut graph)?;
    graph.synchronize()?;
    graph.set_tile(1)?;
    let failed = run(&mut graph).and_then(|()| graph.synchronize()).err().map(|error| error.to_string());
    let text = failed.unwrap_or_default();
    let place = "assertions.rs:11:9";
    assert!(text.starts_with("assertion failed: tile 1: not positive definite"), "{text}");
    assert!(text.contains(place) && text.contains("assert `info[tile] == 0`"), "{text}");
    graph.info_mut()?.write_from(&[1, 0, 1])?;
    run(&mut graph)?;
    graph.synchronize()?;
    graph.set_bound(1.0)?;
    let failed = run(&mut graph).and_then(|()| graph.x().to_vec().map(drop)).err().map(|error| error.to_string());
    let text = failed.unwrap_or_default();
    assert!(text.starts_with("assertion failed (") && text.contains("assert `x[0] < bound`"), "{text}");
    graph.set_bound(100.0)?;
    run(&mut graph)?;
    graph.synchronize()
}

/// In a body.
pub fn assertions_in_bodies(device: &Device) -> Result<()> {
    let mut left = device.buffer_from(&[3])?;
    let mut graph = PassesArgs { left: &mut left, most: 3 }.build(device)?;
    run(&mut graph)?;
    graph.synchronize()?;
    graph.left_mut()?.write_from(&[4])?;
    let failed = run(&mut graph).and_then(|()| graph.synchronize()).err().map(|error| error.to_string());
    assert!(failed.unwrap_or_default().starts_with("assertion failed: left is more than 3"));
    graph.left_mut()?.write_from(&[2])?;
    run(&mut graph)?;
    assert_eq!(graph.left().to_vec()?, [0]);
    Ok(())
}

/// `x = (2 x + 100) + 1` in the first element, without what is off; a setter and a rebind keep the switches.
pub fn switches(device: &Device) -> Result<()> {
    let mut x = device.buffer_from(&[1.0_f32; 3])?;
    let mut y = device.zeros::<u32>(4)?;
    let mut graph = SwitchedArgs { x: &mut x, y: &mut y, passes: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![103.0, 3.0, 3.0], vec![4; 4]));
    graph.disable(Switched::BUMP)?;
    graph.disable(Switched::COUNT)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![207.0, 7.0, 7.0], vec![4; 4]));
    graph.disable(Switched::TWICE)?;
    graph.enable(Switched::COUNT)?;
    graph.set_passes(2)?;
    run(&mut graph)?;
    assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![208.0, 8.0, 8.0], vec![6; 4]));
    graph.enable(Switched::BUMP)?;
    assert!(graph.is_enabled(Switched::BUMP)? && !graph.is_enabled(Switched::TWICE)?);
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [309.0, 9.0, 9.0]);
    Ok(())
}
