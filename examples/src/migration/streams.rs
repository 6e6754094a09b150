//! Step 1: stream launches with cudarc, as the program was.

use std::error::Error;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg as _};

use super::{Problem, Solution};

const SOURCE: &str = include_str!("../../kernels/relax.cu");

/// Solves it with one launch after another; the host reads the residual back after every pass.
///
/// # Errors
/// Those of the driver and of the compiler.
pub fn solve(problem: &Problem) -> Result<Solution, Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let module = context.load_module(cudarc::nvrtc::compile_ptx(SOURCE)?)?;
    let residual = module.load_function("residual")?;
    let squares = module.load_function("squares")?;
    let correct = module.load_function("correct")?;
    let n = u32::try_from(problem.b.len())?;
    let b = stream.clone_htod(&problem.b)?;
    let mut x = stream.alloc_zeros::<f32>(problem.b.len())?;
    let mut r = stream.alloc_zeros::<f32>(problem.b.len())?;
    let mut sum = stream.alloc_zeros::<f32>(1)?;
    let wide = LaunchConfig { grid_dim: (n.div_ceil(256), 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
    let single = LaunchConfig { grid_dim: (1, 1, 1), ..wide };
    let mut passes = 0;
    loop {
        // SAFETY: the arguments are those of `residual` and `squares`, and the buffers have `n` elements.
        unsafe {
            stream.launch_builder(&residual).arg(&b).arg(&x).arg(&mut r).arg(&n).launch(wide)?;
            stream.launch_builder(&squares).arg(&r).arg(&mut sum).arg(&n).launch(single)?;
        }
        let squared = stream.clone_dtoh(&sum)?;
        if squared[0] <= problem.tolerance || passes == u64::from(problem.limit) {
            return Ok(Solution { x: stream.clone_dtoh(&x)?, passes });
        }
        // SAFETY: as above, for `correct`.
        unsafe { stream.launch_builder(&correct).arg(&r).arg(&mut x).arg(&n).launch(wide)? };
        passes += 1;
    }
}
