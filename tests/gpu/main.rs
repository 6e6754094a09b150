//! Everything that needs a CUDA device. Without one, each test says so and passes, unless `CUDA_GRAPH_REQUIRE_CUDA` is set.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod attributes;
mod bodies;
mod cache;
mod captures;
mod checked;
mod child;
mod compared;
mod computes;
mod conditions;
mod declarations;
mod errors;
mod functions;
mod graphs;
mod lanes;
mod launches;
mod libraries;
mod loaded;
mod lowering;
mod mailbox;
mod memory;
mod modules;
mod moves;
mod parts;
mod pipelines;
mod registers;
mod repeated;
mod residents;
mod review;
mod sharing;
mod slices;
mod soundness;
mod tickets;

use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use graph_runtime::prelude::*;
pub(crate) use tests::sanitizer::is_watched;

/// Tests share the device, but for those that measure its memory.
static TURNS: RwLock<()> = RwLock::new(());

/// The device, until this is dropped. One per test: a second one in the same thread may wait for ever.
pub(crate) struct Turn<G> {
    device: Device,
    _guard: G,
}

impl<G> Deref for Turn<G> {
    type Target = Device;

    fn deref(&self) -> &Device {
        &self.device
    }
}

/// The CUDA device, or `None` after saying why there is none.
pub(crate) fn device() -> Option<Turn<RwLockReadGuard<'static, ()>>> {
    let guard = TURNS.read().unwrap_or_else(PoisonError::into_inner);
    Some(Turn { device: cuda()?, _guard: guard })
}

/// The same, while no other test of this process uses it.
pub(crate) fn device_alone() -> Option<Turn<RwLockWriteGuard<'static, ()>>> {
    let guard = TURNS.write().unwrap_or_else(PoisonError::into_inner);
    Some(Turn { device: cuda()?, _guard: guard })
}

fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(error) if std::env::var_os("CUDA_GRAPH_REQUIRE_CUDA").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

/// The device for tests that start processes of their own, which no sanitizer may watch.
pub(crate) fn device_for_children() -> Option<Turn<RwLockReadGuard<'static, ()>>> {
    device().filter(|_| !is_watched())
}

/// Waits for everything on the device, also for what nobody can name any more.
pub(crate) fn settle() {
    cudarc::driver::CudaContext::new(0).and_then(|context| context.synchronize()).unwrap();
}
