//! Host values: literals, conversions, setters.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    graph Literals(f: &out [f32; 1], d: &out [f64; 1], u: &out [u32; 1], w: &out [u64; 1]) {
        basic::write_values<<<1, 1>>>(&out f, &out d, &out u, &out w, 0.1, 0.1, 3_000_000_000, 0xffff_ffff_ffff_fffe);
    }

    graph Same(f: &out [f32; 1], d: &out [f64; 1], u: &out [u32; 1], w: &out [u64; 1]) {
        basic::write_values<<<1, 1>>>(&out f, &out d, &out u, &out w, 16777217.0, 16777217.0, 16777217, 16777217);
    }

    graph Scaled(x: &[f32; n], y: &out [f32; n], by: f32, n: usize) {
        basic::copy_scaled<<<n.div_ceil(32), 32>>>(&x, &out y, by, n as u32);
        if y[0] > by * 2.0 {
            basic::add_constant<<<n.div_ceil(32), 32>>>(&mut y, by + 1.0, n as u32);
        }
    }
}

/// Each literal becomes the type that its parameter declares.
pub fn literals(device: &Device) -> Result<()> {
    let (mut f, mut d) = (device.zeros::<f32>(1)?, device.zeros::<f64>(1)?);
    let (mut u, mut w) = (device.zeros::<u32>(1)?, device.zeros::<u64>(1)?);
    let mut graph = LiteralsArgs { f: &mut f, d: &mut d, u: &mut u, w: &mut w }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.f().to_vec()?[0], graph.d().to_vec()?[0]), (0.1_f32, 0.1_f64));
    assert_eq!((graph.u().to_vec()?[0], graph.w().to_vec()?[0]), (3_000_000_000, u64::MAX - 1));
    drop(graph);
    let mut graph = SameArgs { f: &mut f, d: &mut d, u: &mut u, w: &mut w }.build(device)?;
    run(&mut graph)?;
    assert_eq!((graph.f().to_vec()?[0], graph.d().to_vec()?[0]), (16_777_216.0, 16_777_217.0));
    assert_eq!((graph.u().to_vec()?[0], graph.w().to_vec()?[0]), (16_777_217, 16_777_217));
    Ok(())
}

/// A setter reaches kernels, conditions and bodies; a later one undoes it.
pub fn setters(device: &Device) -> Result<()> {
    let x = device.buffer_from(&[1.0_f32, 4.0])?;
    let mut y = device.zeros::<f32>(2)?;
    let mut graph = ScaledArgs { x: &x, y: &mut y, by: 2.0, n: 2 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [2.0, 8.0]);
    graph.set_by(-3.0)?;
    run(&mut graph)?;
    // -3 > -6, so -3 + 1 is added.
    assert_eq!(graph.y().to_vec()?, [-5.0, -14.0]);
    graph.set_by(2.0)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [2.0, 8.0]);
    Ok(())
}
