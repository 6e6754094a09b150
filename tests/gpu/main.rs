//! Everything that needs a CUDA device. Without one, each test says so and passes, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

mod conditions;
mod modules;
mod pipelines;

use graph_runtime::prelude::*;

/// The CUDA device, or `None` after saying why there is none.
pub(crate) fn device() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}
