//! Memory that knows how to be given back.

use std::any::Any;
use std::sync::Arc;

use super::device::DeviceState;
use super::driver::{self, Failure};
use super::fence::CudaFence;
use crate::device::{RawMemory, Use};

/// Device memory of ours.
#[derive(Debug)]
pub(super) struct DeviceMemory {
    device: Arc<DeviceState>,
    address: u64,
}

/// Pinned host memory of ours.
#[derive(Debug)]
pub(super) struct PinnedMemory {
    device: Arc<DeviceState>,
    address: u64,
}

/// No memory: what zero bytes get.
#[derive(Debug)]
pub(super) struct NoMemory;

/// Somebody else's device memory, with what keeps it alive.
pub(super) struct ForeignMemory {
    pub(super) device: Arc<DeviceState>,
    pub(super) address: u64,
    pub(super) owner: Box<dyn Owner>,
}

/// What keeps foreign memory alive: a `CudaSlice`.
pub(super) trait Owner: Send + Sync {
    /// Makes the owner's stream wait for these uses, so that it may be dropped: its free comes behind them there.
    fn wait_for(&self, pending: &[Use]) -> Result<(), Failure>;

    /// The owner itself.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl DeviceMemory {
    pub(super) fn new(device: Arc<DeviceState>, address: u64) -> Self {
        Self { device, address }
    }
}

impl PinnedMemory {
    pub(super) fn new(device: Arc<DeviceState>, address: u64) -> Self {
        Self { device, address }
    }
}

impl RawMemory for DeviceMemory {
    fn address(&self) -> u64 {
        self.address
    }

    fn release(self: Box<Self>, pending: Vec<Use>) {
        let (device, address) = (Arc::clone(&self.device), self.address);
        let in_order = device.has_pools() && pending.iter().all(|one| cuda(one).is_some());
        if in_order && device.free(address, &pending).is_ok() {
            return;
        }
        // What could not be put in order is tried again once the uses are over.
        device.defer(
            pending,
            Box::new(move |device| {
                leaked(device.free(address, &[]), "device memory");
            }),
        );
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl RawMemory for PinnedMemory {
    fn address(&self) -> u64 {
        self.address
    }

    fn release(self: Box<Self>, pending: Vec<Use>) {
        let address = self.address;
        self.device.defer(
            pending,
            Box::new(move |device| {
                // SAFETY: ours, and its uses are over.
                let freed = device.context().bind().and_then(|()| unsafe { driver::free_pinned(address) });
                leaked(freed, "pinned memory");
            }),
        );
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl RawMemory for NoMemory {
    fn address(&self) -> u64 {
        0
    }

    fn release(self: Box<Self>, _pending: Vec<Use>) {}

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl RawMemory for ForeignMemory {
    fn address(&self) -> u64 {
        self.address
    }

    fn release(self: Box<Self>, pending: Vec<Use>) {
        if pending.iter().all(|one| cuda(one).is_some()) {
            let ordered = self.device.context().bind().and_then(|()| self.owner.wait_for(&pending));
            if leaked(ordered, "a CudaSlice") {
                std::mem::forget(self.owner);
            }
            return;
        }
        let owner = self.owner;
        self.device.defer(pending, Box::new(move |_| drop(owner)));
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl std::fmt::Debug for ForeignMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ForeignMemory({:#x})", self.address)
    }
}

/// The fence of a use by a CUDA graph.
pub(super) fn cuda(one: &Use) -> Option<&CudaFence> {
    one.fence.as_any().downcast_ref()
}

/// Whether something could not be given back; says so.
pub(super) fn leaked(result: Result<(), Failure>, what: &str) -> bool {
    let Err(failure) = result else { return false };
    tracing::warn!(code = failure.code(), "{what} could not be given back and is leaked");
    true
}
