//! How much memory is held on a device.

use std::sync::atomic::{AtomicU64, Ordering};

use graph_ir::model::Memory;

use super::Device;

/// The memory of all buffers and graphs of a device that are there: what is bound, transients, `static` buffers, counters, arenas.
/// What was dropped does not count, even where launches that are under way still use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldMemory {
    /// Bytes of device memory.
    pub device: u64,
    /// Bytes of pinned host memory.
    pub pinned: u64,
    /// In how many pieces.
    pub allocations: u64,
}

/// Counts it.
#[derive(Debug, Default)]
pub(crate) struct Held {
    device: AtomicU64,
    pinned: AtomicU64,
    allocations: AtomicU64,
}

impl Held {
    fn bytes_of(&self, memory: Memory) -> &AtomicU64 {
        match memory {
            Memory::Device => &self.device,
            Memory::Host | Memory::Mailbox => &self.pinned,
        }
    }

    pub(crate) fn add(&self, memory: Memory, bytes: usize) {
        self.bytes_of(memory).fetch_add(bytes as u64, Ordering::Relaxed);
        self.allocations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn remove(&self, memory: Memory, bytes: usize) {
        self.bytes_of(memory).fetch_sub(bytes as u64, Ordering::Relaxed);
        self.allocations.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Device {
    /// How much memory buffers and graphs hold on the device now: of this process on a CUDA device, of this device and its clones on the
    /// CPU.
    pub fn held_memory(&self) -> HeldMemory {
        let held = self.backend().held();
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        HeldMemory { device: read(&held.device), pinned: read(&held.pinned), allocations: read(&held.allocations) }
    }
}
