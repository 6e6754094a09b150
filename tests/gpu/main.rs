//! Everything that needs a CUDA device. Without one, each test says so and passes.

mod pipelines;

use graph_runtime::prelude::*;

/// The CUDA device, or `None` after saying why there is none.
pub fn device() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}
