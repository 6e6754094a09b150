//! Jacobi's method on a line: a loop on the device, a swap of names, two kernels side by side.

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::run::run;

cuda_graph! {
    /// Solves `2 x[i] - x[i - 1] - x[i + 1] = b[i]` with zero borders.
    pub graph Jacobi(b: &[f64; n], x: &mut [f64; n], tolerance: f64) {
        let next: [f64; n];
        let error: [u64; 1];
        'solve: loop limit 100_000 every 2 {
            basic::sweep<<<n.div_ceil(64), 64>>>(&b, &x, &out next, n as u32);
            error[0] = 0;
            basic::distance<<<n.div_ceil(64), 64>>>(&x, &next, &atomic error, n as u32);
            swap(&mut x, &mut next);
            if error[0] <= tolerance.to_bits() { break; }
        }
    }
}

/// With `b = 2 / (n + 1)^2` the solution is the parabola `t (1 - t)` at `t = (i + 1) / (n + 1)`.
pub fn jacobi(device: &Device) -> Result<()> {
    let n = 31;
    let h = 1.0 / (n as f64 + 1.0);
    let b = device.buffer_from(&vec![2.0 * h * h; n])?;
    let mut x = device.zeros::<f64>(n)?;
    let mut graph = JacobiArgs { b: &b, x: &mut x, tolerance: 1e-12 }.build(device)?;
    run(&mut graph)?;
    for (i, value) in graph.x().to_vec()?.into_iter().enumerate() {
        let t = (i as f64 + 1.0) * h;
        assert!((value - t * (1.0 - t)).abs() < 1e-9, "x[{i}] = {value}");
    }
    let passes = graph.iterations(Jacobi::SOLVE)?;
    assert!((1000..10_000).contains(&passes) && passes % 2 == 0, "{passes} passes");
    assert_eq!(graph.exit(Jacobi::SOLVE)?, Exit::Condition);
    graph.set_tolerance(1.0)?;
    run(&mut graph)?;
    assert_eq!(graph.iterations(Jacobi::SOLVE)?, 2);
    Ok(())
}
