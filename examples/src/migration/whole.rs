//! Step 4: the loop is part of the graph.

use graph_runtime::prelude::*;

use super::kernels::relax;
use super::{Problem, Solution};

cuda_graph! {
    /// Starts from zero.
    graph Relax(b: &[f32; n], x: &out [f32; n], tolerance: f32, passes: u32) {
        let r: [f32; n];
        let sum: [f32; 1];
        let blocks = n.div_ceil(256);
        fill(&out x, 0.0);
        relax::residual<<<blocks, 256>>>(&b, &x, &out r, n as u32);
        relax::squares<<<1, 256>>>(&r, &out sum, n as u32);
        'solve: while sum[0] > tolerance limit passes {
            relax::correct<<<blocks, 256>>>(&r, &mut x, n as u32);
            relax::residual<<<blocks, 256>>>(&b, &x, &out r, n as u32);
            relax::squares<<<1, 256>>>(&r, &out sum, n as u32);
        }
    }
}

/// Solves it with one launch.
///
/// # Errors
/// Those of building and launching the graph.
pub fn solve(device: &Device, problem: &Problem) -> Result<Solution> {
    let b = device.buffer_from(&problem.b)?;
    let mut x = device.zeros(problem.b.len())?;
    let (tolerance, passes) = (problem.tolerance, problem.limit);
    let mut graph = RelaxArgs { b: &b, x: &mut x, tolerance, passes }.build(device)?;
    graph.launch()?;
    Ok(Solution { passes: graph.iterations(Relax::SOLVE)?, x: graph.x().to_vec()? })
}
