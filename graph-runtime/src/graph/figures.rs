//! How much memory of its own a graph uses.

use graph_ir::model::Memory;

use super::memory::GraphMemory;
use crate::plan::Plan;

/// The memory of a graph beside the buffers that are bound to it, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryFigures {
    /// Device memory that the transients need.
    pub transients: u64,
    /// Pinned host memory that the transients need.
    pub pinned_transients: u64,
    /// Device memory that the transients lie in: more than they need if the arena is shared, or once held more.
    pub arena: u64,
    /// Pinned host memory that the transients lie in.
    pub pinned_arena: u64,
    /// Device memory of `static` buffers.
    pub statics: u64,
    /// Pinned host memory of `static` buffers.
    pub pinned_statics: u64,
    /// Device memory of the loops' counters.
    pub counters: u64,
}

impl MemoryFigures {
    pub(super) fn of(plan: &Plan, memory: &GraphMemory<'_>) -> Self {
        let [arena, pinned_arena] = memory.arenas().map(super::own_memory::OwnMemory::bytes);
        let statics = |wanted: Memory| {
            let lying = plan.statics.iter().filter(|buffer| buffer.memory == wanted);
            lying.map(|buffer| buffer.length * buffer.element.size as u64).sum()
        };
        Self {
            transients: plan.arena.device_bytes,
            pinned_transients: plan.arena.host_bytes,
            arena,
            pinned_arena,
            statics: statics(Memory::Device),
            pinned_statics: statics(Memory::Host),
            counters: plan.arena.counter_bytes,
        }
    }
}
