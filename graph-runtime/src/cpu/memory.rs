//! Memory on the heap.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::queue::CpuFence;
use crate::buffer::Keeper;
use crate::device::{RawMemory, Use};
use crate::error::{Error, Result};

/// What GPU memory is aligned to.
const ALIGNMENT: usize = 256;

/// Bytes, zero at first.
#[derive(Debug)]
pub(super) struct Block {
    address: usize,
    layout: Layout,
    /// Of memory that somebody else allocated.
    keeper: Option<Keeper>,
    /// Nobody may use it any more. Launches keep the block itself, so a fault here is found, not suffered.
    freed: AtomicBool,
}

impl Block {
    pub(super) fn allocate(bytes: usize) -> Result<Arc<Self>> {
        let too_large = || Error::Buffer(format!("the host has no {bytes} bytes of memory left"));
        let layout = Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| too_large())?;
        if bytes == 0 {
            return Ok(Arc::new(Self::new(ALIGNMENT, layout, None)));
        }
        // SAFETY: the layout's size is not zero.
        let pointer = unsafe { alloc_zeroed(layout) };
        if pointer.is_null() {
            return Err(too_large());
        }
        Ok(Arc::new(Self::new(pointer.expose_provenance(), layout, None)))
    }

    /// Memory that the keeper keeps.
    pub(super) fn adopt(address: u64, bytes: usize, keeper: Keeper) -> Result<Arc<Self>> {
        let elsewhere = || Error::Buffer(format!("{bytes} bytes at {address:#x} do not fit into the address space"));
        let layout = Layout::from_size_align(bytes, 1).map_err(|_| elsewhere())?;
        let start = usize::try_from(address).ok().filter(|start| start.checked_add(bytes).is_some());
        Ok(Arc::new(Self::new(start.ok_or_else(elsewhere)?, layout, Some(keeper))))
    }

    fn new(address: usize, layout: Layout, keeper: Option<Keeper>) -> Self {
        Self { address, layout, keeper, freed: AtomicBool::new(false) }
    }

    /// Whether it was given back.
    pub(super) fn is_freed(&self) -> bool {
        self.freed.load(Ordering::Acquire)
    }

    /// Gives it back: launches that still use it are at fault.
    pub(super) fn free(&self) {
        self.freed.store(true, Ordering::Release);
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.keeper.is_none() && self.layout.size() > 0 {
            // SAFETY: `allocate` made it with this layout, and this is the last owner.
            unsafe { dealloc(self.address as *mut u8, self.layout) };
        }
    }
}

/// A block as allocations hold it.
#[derive(Debug)]
pub(super) struct CpuMemory(Arc<Block>);

impl CpuMemory {
    pub(super) fn new(block: Arc<Block>) -> Self {
        Self(block)
    }
}

impl RawMemory for CpuMemory {
    fn address(&self) -> u64 {
        self.0.address as u64
    }

    fn release(self: Box<Self>, pending: Vec<Use>) {
        let waits: Vec<_> = pending.iter().map(|one| (Arc::clone(&one.fence), one.last_launch())).collect();
        let queue = waits.iter().find_map(|(fence, _)| fence.as_any().downcast_ref::<CpuFence>());
        match queue {
            Some(queue) => queue.free_behind(&waits, &self.0),
            None if waits.is_empty() => self.0.free(),
            // Launches of another kind of device: nobody here can tell when they are over, so the memory stays.
            None => std::mem::forget(Arc::clone(&self.0)),
        }
    }

    fn hold(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(Arc::clone(&self.0) as Arc<dyn Any + Send + Sync>)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
