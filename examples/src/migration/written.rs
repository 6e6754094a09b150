//! Step 5: the kernels are written in the block, and the kernel file is gone.

use graph_runtime::prelude::*;

use super::{Problem, Solution};

cuda_graph! {
    /// Starts from zero.
    graph Relax(b: &[f32; n], x: &out [f32; n], tolerance: f32, passes: u32) {
        let r: [f32; n];
        let sum: [f32; 1];
        kernel for i in 0..n { x[i] = 0.0; r[i] = b[i]; }
        sum[0] = (0..n).map(|i| r[i] * r[i]).sum();
        'solve: while sum[0] > tolerance limit passes {
            kernel for i in 0..n { x[i] += r[i] / 3.0; }
            kernel for i in 0..n {
                let left = if i == 0 { 0.0 } else { x[i - 1] };
                let right = if i + 1 == n { 0.0 } else { x[i + 1] };
                r[i] = b[i] - (2.0 * x[i] - left - right);
            }
            sum[0] = (0..n).map(|i| r[i] * r[i]).sum();
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
