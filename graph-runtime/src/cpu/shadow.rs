//! Nodes of a plan on the host, one at a time, over memory of their own.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::model::{BufferId, Memory, NodeId};

use super::run::{Launch, Order, Prepared};
use crate::device::{Bindings, BoundMemory, Device};
use crate::error::Result;
use crate::plan::SharedPlan;

/// A copy of everything that a plan's nodes access.
pub(crate) struct Shadow {
    plan: SharedPlan,
    bindings: Bindings,
    prepared: Arc<Prepared>,
}

impl Shadow {
    /// Memory for all buffers that a plan names, zero at first.
    ///
    /// # Errors
    /// If the host has not as much memory.
    pub(crate) fn new(plan: &SharedPlan, like: &Bindings) -> Result<Self> {
        let host = Device::cpu();
        let mut parameters = Vec::new();
        for (index, bound) in like.parameters.iter().enumerate() {
            let bytes = bytes_of(plan, BufferId(index as u32));
            let own = bound.as_ref().map(|_| host.allocate(bytes, Memory::Device)).transpose()?;
            parameters.push(own.map(|allocation| BoundMemory { allocation, offset: 0 }));
        }
        let arena = |bytes: u64| host.allocate(bytes as usize, Memory::Device).map(Some);
        let bindings = Bindings {
            parameters,
            device_arena: arena(plan.arena.device_bytes)?,
            host_arena: arena(plan.arena.host_bytes)?,
            spare: arena(plan.arena.spare_bytes)?,
            counters: arena(plan.arena.counter_bytes)?,
        };
        let prepared = Arc::new(Prepared::new(Arc::clone(plan), &bindings, None));
        Ok(Self { plan: Arc::clone(plan), bindings, prepared })
    }

    /// All bytes of a buffer.
    pub(crate) fn bytes(&mut self, buffer: BufferId) -> &mut [u8] {
        let address = self.bindings.buffer(&self.plan, buffer);
        let length = bytes_of(&self.plan, buffer);
        // SAFETY: the buffer's memory is the shadow's own, has as many bytes and was zeroed; no node runs while the shadow is borrowed.
        unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) }
    }

    /// Runs a node that has no bodies.
    ///
    /// # Errors
    /// What the node says on the CPU: a panic of its body, an index out of bounds.
    pub(crate) fn run(&mut self, node: NodeId) -> Result<()> {
        let (prepared, disabled) = (Arc::clone(&self.prepared), Arc::new(BTreeSet::new()));
        Launch { prepared, order: Order::Plan, pool: None, disabled, dry: false, watcher: None }.run_one(node)
    }
}

/// How many bytes a buffer has.
pub(crate) fn bytes_of(plan: &SharedPlan, buffer: BufferId) -> usize {
    plan.program.buffer(buffer).length().unwrap_or(0) as usize * plan.element(buffer).size
}
