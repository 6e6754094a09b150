//! Memory that a graph needs beside its buffers: transients and counters.

use std::sync::Arc;

use graph_ir::model::Memory;

use super::arena::Arena;
use super::uses::RegisteredUse;
use crate::buffer::Allocation;
use crate::device::{Device, Executable};
use crate::error::{Error, Result};

/// One kind of it, with the use of it; nothing if no bytes are needed.
#[derive(Debug, Default)]
pub(super) struct OwnMemory {
    /// Ends before the memory is given back.
    used: Option<RegisteredUse>,
    memory: Option<Arc<Allocation>>,
}

impl OwnMemory {
    fn new(memory: Arc<Allocation>) -> Self {
        Self { used: None, memory: Some(memory) }
    }

    pub(super) fn memory(&self) -> Option<Arc<Allocation>> {
        self.memory.clone()
    }

    pub(super) fn used(&self) -> Option<&RegisteredUse> {
        self.used.as_ref()
    }

    /// How many bytes there are.
    pub(super) fn bytes(&self) -> u64 {
        self.memory.as_ref().map_or(0, |memory| memory.bytes() as u64)
    }

    /// Whether it is too small.
    pub(super) fn is_below(&self, bytes: u64) -> bool {
        self.bytes() < bytes
    }

    /// Begins the use.
    pub(super) fn register(&mut self, executable: &mut dyn Executable) -> Result<()> {
        if let Some(memory) = &self.memory {
            self.used = Some(RegisteredUse::begin(memory, true, executable)?);
        }
        Ok(())
    }

    /// The other memory, if this is used and not that.
    pub(super) fn moved_to(&self, other: Option<&Arc<Allocation>>) -> Option<Self> {
        let (own, other) = (self.memory.as_ref()?, other?);
        (!Arc::ptr_eq(own, other)).then(|| Self::new(Arc::clone(other)))
    }
}

/// Where the memory comes from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) device: &'a Device,
    pub(super) arena: Option<&'a Arena>,
}

impl Source<'_> {
    /// For transients: other graphs of the arena use the same.
    pub(super) fn transients(self, bytes: u64, memory: Memory) -> Result<OwnMemory> {
        let Some(bytes) = wanted(bytes)? else { return Ok(OwnMemory::default()) };
        match self.arena {
            Some(arena) => arena.room(bytes, memory),
            None => self.device.allocate(bytes, memory),
        }
        .map(OwnMemory::new)
    }

    /// The graph's own: for the loops' counters, which are read after the launch, and for what few runs need.
    pub(super) fn own(self, bytes: u64) -> Result<OwnMemory> {
        let Some(bytes) = wanted(bytes)? else { return Ok(OwnMemory::default()) };
        self.device.allocate(bytes, Memory::Device).map(OwnMemory::new)
    }

    /// Larger memory for transients, if this is too small.
    pub(super) fn larger(self, than: &OwnMemory, bytes: u64, memory: Memory) -> Result<Option<OwnMemory>> {
        than.is_below(bytes).then(|| self.transients(bytes, memory)).transpose()
    }
}

/// `None` for no bytes.
fn wanted(bytes: u64) -> Result<Option<usize>> {
    let too_large =
        |_| Error::Buffer(format!("the graph's transients need {bytes} bytes, more than the address space has"));
    Ok((bytes > 0).then_some(usize::try_from(bytes).map_err(too_large)?))
}
