//! How much memory of its own a graph uses.

use graph_ir::model::Memory;

use super::memory::GraphMemory;
use crate::device::{Device, full};
use crate::error::{Error, size_text};
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
    /// Device memory for transients that stay in registers where launches are shared: there once nodes have run one by one.
    pub spare: u64,
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
        let statics = |wanted| statics(plan, wanted);
        Self {
            transients: plan.arena.device_bytes,
            pinned_transients: plan.arena.host_bytes,
            arena,
            pinned_arena,
            spare: memory.spare_bytes(),
            statics: statics(Memory::Device),
            pinned_statics: statics(Memory::Host),
            counters: plan.arena.counter_bytes,
        }
    }
}

/// Bytes of `static` buffers.
fn statics(plan: &Plan, wanted: Memory) -> u64 {
    let lying = plan.statics.iter().filter(|buffer| buffer.memory == wanted);
    lying.map(|buffer| buffer.length * buffer.element.size as u64).sum()
}

/// An error with what the graph asks for, if it is that memory is full.
pub(super) fn asked(error: Error, plan: &Plan, device: &Device) -> Error {
    full(&**device.backend(), error).when_full(|notes| {
        let device = [plan.arena.device_bytes, statics(plan, Memory::Device), plan.arena.counter_bytes].map(size_text);
        let pinned = size_text(plan.arena.host_bytes + statics(plan, Memory::Host));
        let (name, nodes) = (&plan.program.name, plan.node_count());
        let [transients, statics, counters] = device;
        notes.push(format!(
            "graph `{name}` of {nodes} nodes asks for {transients} for transients, {statics} for `static` buffers, {counters} for \
             loops, and {pinned} of pinned memory, beside what the driver needs for its nodes"
        ));
    })
}

/// The same where it would take the place of a graph that is there.
pub(super) fn asked_again(error: Error, plan: &Plan, device: &Device) -> Error {
    asked(error, plan, device).when_full(|notes| {
        let stays = "the graph as it was stays until the other one is there, so that a change that fails changes nothing; to need less, \
                     drop it and build anew";
        notes.push(stays.to_owned());
    })
}
