//! Memory for the transients of several graphs.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use graph_ir::model::Memory;

use crate::buffer::Allocation;
use crate::device::Device;
use crate::error::{Error, Result};

/// Memory that several graphs use for their transients, one launch after another. Cloning gives another handle.
///
/// Graphs built in it with `build_in(&arena, &device)` need the memory of the largest of them instead of the sum. A launch waits on
/// the device for the last launch of every other graph of the arena, so graphs that should run side by side belong in different ones.
///
/// The arena grows when a graph that needs more is built; the graphs that were built before move to the larger memory when they are
/// launched next, by patching their nodes, and the smaller memory goes once the last of them has moved.
#[derive(Clone)]
pub struct Arena {
    state: Arc<State>,
}

struct State {
    device: Device,
    memory: Mutex<Parts>,
}

/// The memory that graphs are launched with from here on.
#[derive(Default)]
struct Parts {
    device: Option<Arc<Allocation>>,
    host: Option<Arc<Allocation>>,
}

/// No other graph of the arena is launched until this is dropped.
pub(super) struct ArenaTurn<'a>(MutexGuard<'a, Parts>);

impl Arena {
    pub(crate) fn new(device: &Device) -> Self {
        Self { state: Arc::new(State { device: device.clone(), memory: Mutex::default() }) }
    }

    /// Where it lies.
    pub fn device(&self) -> &Device {
        &self.state.device
    }

    /// Bytes of device memory that it has now.
    pub fn bytes(&self) -> u64 {
        bytes(self.turn().memory(Memory::Device))
    }

    /// Bytes of pinned host memory that it has now.
    pub fn host_bytes(&self) -> u64 {
        bytes(self.turn().memory(Memory::Host))
    }

    /// Refuses a graph of another device.
    pub(super) fn check(&self, device: &Device, graph: &str) -> Result<()> {
        let (lies, runs) = (self.device().kind(), device.kind());
        if lies == runs {
            return Ok(());
        }
        Err(Error::Buffer(format!(
            "the arena lies on {lies}, but graph `{graph}` is built on {runs}\n\
             help: make the arena with `arena()` of the device that the graph is built on"
        )))
    }

    /// Memory of at least `bytes` bytes, for graphs that are launched from here on.
    pub(super) fn room(&self, bytes: usize, memory: Memory) -> Result<Arc<Allocation>> {
        let mut parts = self.turn();
        let part = parts.part(memory);
        if let Some(allocation) = part.as_ref().filter(|allocation| allocation.bytes() >= bytes) {
            return Ok(Arc::clone(allocation));
        }
        let allocation = self.state.device.allocate(bytes, memory)?;
        *part = Some(Arc::clone(&allocation));
        Ok(allocation)
    }

    /// Takes the turn for a launch.
    pub(super) fn turn(&self) -> ArenaTurn<'_> {
        ArenaTurn(self.state.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ArenaTurn<'_> {
    /// The memory of a kind, if any graph needs it.
    pub(super) fn memory(&self, memory: Memory) -> Option<&Arc<Allocation>> {
        match memory {
            Memory::Device => self.0.device.as_ref(),
            Memory::Host | Memory::Mailbox => self.0.host.as_ref(),
        }
    }

    fn part(&mut self, memory: Memory) -> &mut Option<Arc<Allocation>> {
        match memory {
            Memory::Device => &mut self.0.device,
            Memory::Host | Memory::Mailbox => &mut self.0.host,
        }
    }
}

fn bytes(allocation: Option<&Arc<Allocation>>) -> u64 {
    allocation.map_or(0, |allocation| allocation.bytes() as u64)
}

impl Device {
    /// Memory for the transients of several graphs, which are built with `build_in(&arena, &device)`. Empty until one is.
    pub fn arena(&self) -> Arena {
        Arena::new(self)
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arena({} bytes and {} pinned on {})", self.bytes(), self.host_bytes(), self.device().kind())
    }
}
