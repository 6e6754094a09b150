//! Step 3: one pass is one graph, which is built once. The host decides when it is done.

use graph_runtime::prelude::*;

use super::kernels::relax;
use super::{Problem, Solution};

cuda_graph! {
    /// The residual of `x`, and the step that it asks for if it is larger than the tolerance.
    graph Pass(b: &[f32; n], x: &mut [f32; n], sum: &out [f32; 1], tolerance: f32) {
        let r: [f32; n];
        relax::residual<<<n.div_ceil(256), 256>>>(&b, &x, &out r, n as u32);
        relax::squares<<<1, 256>>>(&r, &out sum, n as u32);
        if sum[0] > tolerance {
            relax::correct<<<n.div_ceil(256), 256>>>(&r, &mut x, n as u32);
        }
    }
}

/// Solves it with one launch for each pass.
///
/// # Errors
/// Those of building and launching the graph.
pub fn solve(device: &Device, problem: &Problem) -> Result<Solution> {
    let b = device.buffer_from(&problem.b)?;
    let (mut x, mut sum) = (device.zeros(problem.b.len())?, device.zeros(1)?);
    let mut pass = PassArgs { b: &b, x: &mut x, sum: &mut sum, tolerance: problem.tolerance }.build(device)?;
    let mut passes = 0;
    while passes < u64::from(problem.limit) {
        pass.launch()?;
        if pass.sum().to_vec()?[0] <= problem.tolerance {
            break;
        }
        passes += 1;
    }
    Ok(Solution { x: pass.x().to_vec()?, passes })
}
