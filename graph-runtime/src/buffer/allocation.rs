//! Counted memory that knows who still uses it.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use graph_ir::model::Memory;

use crate::Result;
use crate::device::{Backend, Fence, RawMemory, Use};

/// Memory of one device, or pinned memory of the host.
///
/// Graphs hold an `Arc` on every allocation that they name, so nothing is freed under a node, whatever is leaked. The list of uses
/// gives order: host access, conversions, frees and other graphs first wait for the uses that conflict.
#[derive(Debug)]
pub(crate) struct Allocation {
    raw: Option<Box<dyn RawMemory>>,
    address: u64,
    bytes: usize,
    memory: Memory,
    backend: Arc<dyn Backend>,
    uses: Mutex<Vec<Use>>,
    /// Several graphs may write it, so that every launch and every host access takes its turn.
    shared: AtomicBool,
    turn: Mutex<()>,
}

impl Allocation {
    /// Takes memory that `backend` made.
    pub(crate) fn new(backend: Arc<dyn Backend>, raw: Box<dyn RawMemory>, bytes: usize, memory: Memory) -> Arc<Self> {
        let address = raw.address();
        backend.held().add(memory, bytes);
        Arc::new(Self {
            raw: Some(raw),
            address,
            bytes,
            memory,
            backend,
            uses: Mutex::default(),
            shared: AtomicBool::default(),
            turn: Mutex::default(),
        })
    }

    /// First byte.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Size.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Device or pinned host memory.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// Who made it.
    pub(crate) fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// Keeps the bytes from being reused, if the backend needs that.
    pub(crate) fn hold(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.raw.as_ref().and_then(|raw| raw.hold())
    }

    /// From here on several graphs may write it.
    pub(crate) fn share(&self) {
        self.shared.store(true, Ordering::Release);
    }

    /// From here on one owner may write it; nobody else can name it.
    pub(crate) fn take_back(&mut self) {
        *self.shared.get_mut() = false;
    }

    /// Whether several graphs may write it.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// Nobody else launches with shared memory, or touches it on the host, until this is dropped. `None` for memory of one owner.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        self.is_shared().then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Launches of other graphs that a launch of this one must wait for.
    pub(crate) fn conflicts(&self, fence: &Arc<dyn Fence>, writes: bool) -> Vec<Use> {
        let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let others = uses.iter().filter(|one| !Arc::ptr_eq(&one.fence, fence) && (writes || one.writes));
        others.cloned().collect()
    }

    /// A graph starts to name this memory. Returns the uses of other graphs that its launches must wait for. Prunes what is over.
    pub(crate) fn begin_use(&self, fence: &Arc<dyn Fence>, writes: bool) -> Vec<Use> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.retain(|one| one.until.is_none_or(|last| !one.fence.finished(last)));
        let earlier = uses.iter().filter(|one| !Arc::ptr_eq(&one.fence, fence) && (writes || one.writes));
        let earlier = earlier.cloned().collect();
        uses.push(Use { fence: Arc::clone(fence), until: None, writes });
        earlier
    }

    /// The graph ends one use: launches from here on do not need it.
    ///
    /// A graph may use the memory more than once. Its uses differ in `writes` only, so it does not matter which of the equal ones ends.
    pub(crate) fn end_use(&self, fence: &Arc<dyn Fence>, writes: bool) {
        let launched = fence.launched();
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |one: &&mut Use| Arc::ptr_eq(&one.fence, fence) && one.until.is_none() && one.writes == writes;
        if let Some(one) = uses.iter_mut().find(open) {
            one.until = Some(launched);
        }
        uses.retain(|one| one.until.is_none_or(|last| !one.fence.finished(last)));
    }

    /// Blocks until the host may read (`writes == false`) or write.
    pub(crate) fn wait(&self, writes: bool) -> Result<()> {
        let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for one in uses.iter().filter(|one| writes || one.writes) {
            let last = one.last_launch();
            if !one.fence.finished(last) || one.fence.has_fault() {
                one.fence.wait(last)?;
            }
        }
        Ok(())
    }

    /// Takes the memory out for a conversion; the caller has waited.
    pub(crate) fn into_raw(mut self) -> Option<Box<dyn RawMemory>> {
        self.raw.take()
    }

    /// The uses that are not known to be over.
    pub(crate) fn pending(&self) -> Vec<Use> {
        let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.iter().filter(|one| !one.fence.finished(one.last_launch())).cloned().collect()
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.backend.held().remove(self.memory, self.bytes);
        if let Some(raw) = self.raw.take() {
            raw.release(self.pending());
        }
    }
}
