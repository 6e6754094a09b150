//! The memory that a graph names: the buffers bound to it and its own.

use std::mem::replace;
use std::ops::Range;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::arena::{Arena, ArenaTurn};
use super::check;
use super::own_memory::{OwnMemory, Source};
use super::statics::Statics;
use super::turns::Turns;
use super::uses::RegisteredUse;
use crate::buffer::{Binding, Lent};
use crate::device::{Bindings, BoundMemory, Device, Executable};
use crate::error::Result;
use crate::plan::Plan;

/// Memory that other memory has replaced.
#[derive(Debug)]
pub(super) struct Replaced {
    device: Option<OwnMemory>,
    host: Option<OwnMemory>,
    spare: Option<OwnMemory>,
    counters: Option<OwnMemory>,
}

impl Replaced {
    /// Whether the loops' counters lie elsewhere now.
    pub(super) fn has_counters(&self) -> bool {
        self.counters.is_some()
    }
}

/// Everything that launches may touch. Uses end before memory is given back.
#[derive(Debug)]
pub(super) struct GraphMemory<'g> {
    uses: Vec<RegisteredUse>,
    parameters: Vec<Binding<'g>>,
    statics: Statics,
    /// Where transients come from, if other graphs use the same memory.
    arena: Option<Arena>,
    device: OwnMemory,
    host: OwnMemory,
    /// For transients that stay in registers where launches are shared: there once nodes have run one by one.
    spare: OwnMemory,
    counters: OwnMemory,
    turns: Turns,
    lent: Lent,
}

impl<'g> GraphMemory<'g> {
    pub(super) fn new(
        device: &Device,
        arena: Option<Arena>,
        plan: &Plan,
        parameters: Vec<Binding<'g>>,
    ) -> Result<Self> {
        let source = Source { device, arena: arena.as_ref() };
        Ok(Self {
            uses: Vec::new(),
            parameters,
            statics: Statics::new(device, plan)?,
            device: source.transients(plan.arena.device_bytes, Memory::Device)?,
            host: source.transients(plan.arena.host_bytes, Memory::Host)?,
            spare: OwnMemory::default(),
            counters: source.own(plan.arena.counter_bytes)?,
            arena,
            turns: Turns::default(),
            lent: Lent::default(),
        })
    }

    /// Begins the use of everything.
    pub(super) fn register(&mut self, plan: &Plan, executable: &mut dyn Executable) -> Result<()> {
        let mut writes = vec![false; self.parameters.len()];
        for (buffer, leaf) in plan.program.buffers.iter().zip(plan.bound.iter()) {
            if let Some(leaf) = leaf {
                writes[*leaf as usize] = check::writes(buffer);
            }
        }
        for (binding, writes) in self.parameters.iter().zip(writes) {
            self.uses.push(RegisteredUse::begin(&binding.allocation, writes, executable)?);
        }
        self.statics.register(executable)?;
        self.device.register(executable)?;
        self.host.register(executable)?;
        self.spare.register(executable)?;
        self.counters.register(executable)?;
        self.find_shared();
        Ok(())
    }

    /// Ends the uses of the graph that had it and begins those of another.
    pub(super) fn hand_over(&mut self, plan: &Plan, executable: &mut dyn Executable) -> Result<()> {
        self.uses.clear();
        self.statics.end_uses();
        self.register(plan, executable)
    }

    /// Exchanges the loops' counters with another graph's: nodes that clear them cannot be patched.
    pub(super) fn exchange_counters(&mut self, other: &mut GraphMemory<'_>) {
        std::mem::swap(&mut self.counters, &mut other.counters);
    }

    /// Whether there are so many bytes for counters.
    pub(super) fn has_counters_for(&self, bytes: u64) -> bool {
        !self.counters.is_below(bytes)
    }

    pub(super) fn bindings(&self, plan: &Plan) -> Bindings {
        let bound = |binding: &Binding<'_>| {
            Some(BoundMemory { allocation: Arc::clone(&binding.allocation), offset: binding.offset() })
        };
        let bound = |leaf: &Option<u32>| leaf.and_then(|leaf| bound(&self.parameters[leaf as usize]));
        let mut parameters: Vec<_> = plan.bound.iter().map(bound).collect();
        self.statics.bind(plan, &mut parameters);
        Bindings {
            parameters,
            device_arena: self.device.memory(),
            host_arena: self.host.memory(),
            spare: self.spare.memory(),
            counters: self.counters.memory(),
        }
    }

    pub(super) fn parameters(&self) -> &[Binding<'g>] {
        &self.parameters
    }

    pub(super) fn bound(&self, parameter: u32) -> &Binding<'g> {
        &self.parameters[parameter as usize]
    }

    pub(super) fn statics(&self) -> &Statics {
        &self.statics
    }

    /// Bytes for what stays in registers where launches are shared.
    pub(super) fn spare_bytes(&self) -> u64 {
        self.spare.bytes()
    }

    /// The transients' memory and the pinned transients'.
    pub(super) fn arenas(&self) -> [&OwnMemory; 2] {
        [&self.device, &self.host]
    }

    pub(super) fn arena(&self) -> Option<&Arena> {
        self.arena.as_ref()
    }

    pub(super) fn turns(&mut self) -> &mut Turns {
        &mut self.turns
    }

    /// For views.
    pub(super) fn lent(&self) -> &Lent {
        &self.lent
    }

    /// Makes launches wait for those of the graphs that were bound to views of this one's buffers.
    pub(super) fn follow_borrowers(&mut self, executable: &mut dyn Executable) -> Result<()> {
        if !self.lent.take() {
            return Ok(());
        }
        let fence = executable.fence();
        let uses = self.uses.iter().chain(self.statics.uses());
        let theirs: Vec<_> = uses.flat_map(|one| one.allocation().conflicts(&fence, one.writes())).collect();
        executable.order_after(&theirs).inspect_err(|_| self.lent.lend())
    }

    /// Puts other buffers in the place of some, and returns those.
    pub(super) fn exchange(&mut self, bound: Range<u32>, bindings: Vec<Binding<'g>>) -> Vec<Binding<'g>> {
        self.parameters.splice(bound.start as usize..bound.end as usize, bindings).collect()
    }

    /// Begins the use of what is bound to a parameter now, beside the use of what was.
    pub(super) fn begin(&self, parameter: u32, writes: bool, executable: &mut dyn Executable) -> Result<RegisteredUse> {
        RegisteredUse::begin(&self.bound(parameter).allocation, writes, executable)
    }

    /// Ends the uses of what was bound.
    pub(super) fn replace_uses(&mut self, bound: Range<u32>, begun: Vec<RegisteredUse>) {
        drop(self.uses.splice(bound.start as usize..bound.end as usize, begun));
        self.find_shared();
    }

    /// Makes room for a plan's transients. What was replaced comes back: it is used until the plan is.
    pub(super) fn grow(&mut self, device: &Device, plan: &Plan, executable: &mut dyn Executable) -> Result<Replaced> {
        let source = Source { device, arena: self.arena.as_ref() };
        let room = [plan.arena.device_bytes, plan.arena.host_bytes, plan.arena.counter_bytes];
        let mut device_memory = source.larger(&self.device, room[0], Memory::Device)?;
        let mut host_memory = source.larger(&self.host, room[1], Memory::Host)?;
        let mut counters = self.counters.is_below(room[2]).then(|| source.own(room[2])).transpose()?;
        for memory in [&mut device_memory, &mut host_memory, &mut counters].into_iter().flatten() {
            memory.register(executable)?;
        }
        Ok(self.replace(device_memory, host_memory, None, counters))
    }

    /// Memory for what stays in registers where launches are shared.
    pub(super) fn spare(&mut self, device: &Device, plan: &Plan, executable: &mut dyn Executable) -> Result<Replaced> {
        let source = Source { device, arena: self.arena.as_ref() };
        let mut spare = source.own(plan.arena.spare_bytes)?;
        spare.register(executable)?;
        Ok(self.replace(None, None, Some(spare), None))
    }

    /// Moves to the memory that the arena has now, if that is another. `None` if it is the same.
    pub(super) fn follow(
        &mut self,
        arena: &ArenaTurn<'_>,
        executable: &mut dyn Executable,
    ) -> Result<Option<Replaced>> {
        let mut device_memory = self.device.moved_to(arena.memory(Memory::Device));
        let mut host_memory = self.host.moved_to(arena.memory(Memory::Host));
        if device_memory.is_none() && host_memory.is_none() {
            return Ok(None);
        }
        for memory in [&mut device_memory, &mut host_memory].into_iter().flatten() {
            memory.register(executable)?;
        }
        Ok(Some(self.replace(device_memory, host_memory, None, None)))
    }

    fn replace(
        &mut self,
        device: Option<OwnMemory>,
        host: Option<OwnMemory>,
        spare: Option<OwnMemory>,
        counters: Option<OwnMemory>,
    ) -> Replaced {
        let replaced = Replaced {
            device: device.map(|new| replace(&mut self.device, new)),
            host: host.map(|new| replace(&mut self.host, new)),
            spare: spare.map(|new| replace(&mut self.spare, new)),
            counters: counters.map(|new| replace(&mut self.counters, new)),
        };
        self.find_shared();
        replaced
    }

    /// Undoes [`GraphMemory::grow`] or [`GraphMemory::follow`].
    pub(super) fn restore(&mut self, replaced: Replaced) {
        self.replace(replaced.device, replaced.host, replaced.spare, replaced.counters);
    }

    /// Looks again for what is shared with other graphs.
    fn find_shared(&mut self) {
        let uses = self.uses.iter().filter(|one| one.allocation().is_shared());
        let arenas = [&self.device, &self.host].into_iter().filter(|_| self.arena.is_some());
        let arenas = arenas.filter_map(OwnMemory::used);
        self.turns.set(uses.chain(arenas).map(|one| (Arc::clone(one.allocation()), one.writes())).collect());
    }

    pub(super) fn into_parameters(self) -> Vec<Binding<'g>> {
        self.parameters
    }
}
