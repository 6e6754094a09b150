//! How much memory is held on a device.

use std::sync::atomic::{AtomicU64, Ordering};

use graph_ir::model::Memory;

use super::{Backend, Device};
use crate::error::{Error, size_text};

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

    /// Who holds how much, as a sentence.
    fn text(&self) -> String {
        let HeldMemory { device, pinned, allocations } = self.now();
        let pieces = if allocations == 1 { "1 piece".to_owned() } else { format!("{allocations} pieces") };
        let [device, pinned] = [device, pinned].map(size_text);
        format!("buffers and graphs of this process hold {device} of it and {pinned} of pinned memory, in {pieces}")
    }

    fn now(&self) -> HeldMemory {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        HeldMemory { device: read(&self.device), pinned: read(&self.pinned), allocations: read(&self.allocations) }
    }

    pub(crate) fn remove(&self, memory: Memory, bytes: usize) {
        self.bytes_of(memory).fetch_sub(bytes as u64, Ordering::Relaxed);
        self.allocations.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An error with how much memory there is and who holds it, if it is that memory is full.
pub(crate) fn full(backend: &dyn Backend, error: Error) -> Error {
    error.when_full(|notes| {
        if !notes.is_empty() {
            return;
        }
        let free =
            |[free, total]: [u64; 2]| format!("{} of the device's {} are free", size_text(free), size_text(total));
        notes.extend(backend.free_and_total().map(free));
        notes.push(backend.held().text());
    })
}

impl Device {
    /// How much memory buffers and graphs hold on the device now: of this process on a CUDA device, of this device and its clones on the
    /// CPU.
    pub fn held_memory(&self) -> HeldMemory {
        self.backend().held().now()
    }
}
