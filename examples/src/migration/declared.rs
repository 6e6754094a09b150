//! Step 2: the kernels are declared, and each launch is a graph.

use graph_runtime::prelude::*;

use super::kernels::relax;
use super::{Problem, Solution};

cuda_graph! {
    graph Residual(b: &[f32; n], x: &[f32; n], r: &out [f32; n]) {
        relax::residual<<<n.div_ceil(256), 256>>>(&b, &x, &out r, n as u32);
    }

    graph Norm(r: &[f32; n], sum: &out [f32; 1]) {
        relax::squares<<<1, 256>>>(&r, &out sum, n as u32);
    }

    graph Correct(r: &[f32; n], x: &mut [f32; n]) {
        relax::correct<<<n.div_ceil(256), 256>>>(&r, &mut x, n as u32);
    }
}

/// Solves it with three graphs; a buffer that two of them write goes from one to the other.
///
/// # Errors
/// Those of building and launching the graphs.
pub fn solve(device: &Device, problem: &Problem) -> Result<Solution> {
    let n = problem.b.len();
    let b = device.buffer_from(&problem.b)?;
    let (mut x, mut r, mut sum) = (device.zeros::<f32>(n)?, device.zeros::<f32>(n)?, device.zeros::<f32>(1)?);
    let mut passes = 0;
    loop {
        ResidualArgs { b: &b, x: &x, r: &mut r }.build(device)?.launch()?;
        NormArgs { r: &r, sum: &mut sum }.build(device)?.launch()?;
        if sum.to_vec()?[0] <= problem.tolerance || passes == u64::from(problem.limit) {
            return Ok(Solution { x: x.to_vec()?, passes });
        }
        CorrectArgs { r: &r, x: &mut x }.build(device)?.launch()?;
        passes += 1;
    }
}
