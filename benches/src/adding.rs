//! The kernel of the graphs that are nothing but launches: `kernels/add.cu`.

use graph_runtime::prelude::*;

/// One block adds to at most as many elements as it has threads.
#[cuda_module("kernels/add.cu")]
pub unsafe mod kernels {
    /// Adds `a`.
    #[requires(grid.x == 1 && n <= block.x)]
    pub fn add(y: &mut [f32; n], a: f32, n: u32) {
        let _ = n;
        y.iter_mut().for_each(|y| *y += a);
    }
}
