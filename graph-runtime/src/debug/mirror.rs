//! What lies in a graph's memory, on the device and beside it on the host.

use std::sync::Arc;

use graph_ir::model::{Access, BufferId, Memory, NodeId, Strided};

use super::compare::{Tolerance, first_wrong, text_at};
use super::differs::Differs;
use crate::buffer::mailbox;
use crate::cpu::{Shadow, bytes_of};
use crate::device::{Backend, Bindings};
use crate::error::{NodeName, Result};
use crate::plan::SharedPlan;

/// A device's memory, and the same bytes on the host.
pub(super) struct Mirror {
    pub(super) plan: SharedPlan,
    backend: Arc<dyn Backend>,
    bindings: Bindings,
    pub(super) shadow: Shadow,
    /// The buffers that are part of the graph.
    buffers: Vec<BufferId>,
}

impl Mirror {
    /// Copies everything to the host. The caller has waited for all uses.
    pub(super) fn new(plan: &SharedPlan, backend: &Arc<dyn Backend>, bindings: Bindings) -> Result<Self> {
        let named = |buffer: &BufferId| {
            let bound = bindings.parameters.get(buffer.0 as usize).is_some_and(Option::is_some);
            bound || plan.arena.offsets.get(buffer.0 as usize).is_some_and(Option::is_some)
        };
        let buffers = plan.program.buffer_ids().filter(|buffer| named(buffer) && bytes_of(plan, *buffer) > 0).collect();
        let shadow = Shadow::new(plan, &bindings)?;
        let mut mirror = Self { plan: Arc::clone(plan), backend: Arc::clone(backend), bindings, shadow, buffers };
        for buffer in mirror.buffers.clone() {
            let now = mirror.read(buffer)?;
            mirror.shadow.bytes(buffer).copy_from_slice(&now);
        }
        Ok(mirror)
    }

    /// What lies in a buffer on the device.
    fn read(&self, buffer: BufferId) -> Result<Vec<u8>> {
        let mut bytes = vec![0; bytes_of(&self.plan, buffer)];
        let memory = self.plan.program.buffer(buffer).memory;
        if memory == Memory::Mailbox {
            let address = self.bindings.buffer(&self.plan, buffer);
            // SAFETY: all elements of a mailbox, which the bindings keep.
            unsafe { mailbox::read(address, self.plan.element(buffer).size, &mut bytes) };
            return Ok(bytes);
        }
        self.backend.read(self.bindings.buffer(&self.plan, buffer), memory, &mut bytes)?;
        Ok(bytes)
    }

    /// Compares all buffers with what the host has, and makes them equal. `computed`: the host has run the node too, so what it writes is
    /// compared; else only what it does not write.
    pub(super) fn compare(&mut self, node: NodeId, computed: bool, tolerance: &Tolerance) -> Result<Option<Differs>> {
        let mut found = None;
        for buffer in self.buffers.clone() {
            if self.lies_under_a_write(node, buffer) {
                continue;
            }
            let now = self.read(buffer)?;
            let own = self.shadow.bytes(buffer);
            if own == now {
                continue;
            }
            let before = own.to_vec();
            own.copy_from_slice(&now);
            // The host may have written it meanwhile.
            if self.plan.program.buffer(buffer).memory == Memory::Mailbox {
                continue;
            }
            let written = self.written(node, buffer);
            let wrong = self.wrong(buffer, (&before, &now), &written, |layout, one, other| {
                computed && !tolerance.accepts(layout, one, other)
            });
            found = found.or_else(|| wrong.map(|wrong| self.differs(node, buffer, (&before, &now), wrong)));
        }
        Ok(found)
    }

    /// Whether the node writes another buffer that has bytes in common with this one, which nobody needs by now.
    fn lies_under_a_write(&self, node: NodeId, buffer: BufferId) -> bool {
        let size = |buffer| (buffer, bytes_of(&self.plan, buffer) as u64);
        let mut written = self.plan.program.node(node).accesses.iter().filter(|access| access.mode.writes());
        written.any(|access| {
            access.buffer != buffer && self.plan.arena.overlap(&self.plan.program, size(access.buffer), size(buffer))
        })
    }

    /// Where the elements lie that a node says it writes.
    fn written(&self, node: NodeId, buffer: BufferId) -> Vec<Strided> {
        let accesses = self.plan.program.node(node).accesses.iter();
        let writes = accesses.filter(|access: &&Access| access.buffer == buffer && access.mode.writes());
        writes.map(|access| self.plan.strided(access)).collect()
    }

    /// The first wrong element, whether the node says that it writes it, and how many are wrong.
    fn wrong(
        &self,
        buffer: BufferId,
        (before, now): (&[u8], &[u8]),
        written: &[Strided],
        differ: impl Fn(crate::element::ElementLayout, &[u8], &[u8]) -> bool,
    ) -> Option<(u64, bool, u64)> {
        let layout = self.plan.element(buffer);
        let declared = |index| written.iter().any(|strided| strided.holds(index));
        let wrong = |index, one: &[u8], other: &[u8]| !declared(index) || differ(layout, one, other);
        let (first, count) = first_wrong(layout.size, (before, now), wrong)?;
        Some((first, declared(first), count))
    }

    fn differs(
        &self,
        node: NodeId,
        buffer: BufferId,
        (before, now): (&[u8], &[u8]),
        (index, declared, count): (u64, bool, u64),
    ) -> Differs {
        let (layout, program) = (self.plan.element(buffer), &self.plan.program);
        let at = |bytes: &[u8]| text_at(layout, bytes, index);
        Differs {
            node: NodeName::of(program, node),
            kind: program.node(node).kind.word(),
            buffer: program.buffer(buffer).name.clone(),
            index,
            device: at(now),
            expected: at(before),
            count,
            declared,
        }
    }
}
