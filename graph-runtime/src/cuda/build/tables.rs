//! Tables of buffers, for kernels that take whole lists: the address and the number of elements of each, in device memory.
//!
//! Another buffer makes another table, at another address, beside the old one: launches in flight go on with theirs.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph_ir::model::NodeId;

use crate::cuda::device::DeviceState;
use crate::cuda::driver::Doing;
use crate::cuda::memory::DeviceMemory;
use crate::device::{Bindings, RawMemory};
use crate::error::Result;
use crate::plan::{Plan, Step, StepArgument};

/// The tables of a graph, one behind the other.
#[derive(Debug)]
pub(super) struct Tables {
    memory: Option<Box<DeviceMemory>>,
    /// By the node and the first access: where its table begins, in entries.
    starts: Starts,
    /// Addresses and numbers of elements.
    entries: Vec<[u64; 2]>,
}

impl Tables {
    /// Writes the tables that a plan needs, unless `old` has the same.
    pub(super) fn new(
        device: &Arc<DeviceState>,
        plan: &Plan,
        bindings: &Bindings,
        old: Option<&Arc<Self>>,
    ) -> Result<Option<Arc<Self>>> {
        let (starts, entries) = entries(plan, bindings);
        if starts.is_empty() {
            return Ok(None);
        }
        if let Some(old) = old.filter(|old| old.starts == starts && old.entries == entries) {
            return Ok(Some(Arc::clone(old)));
        }
        let bytes: &[u8] = bytemuck::cast_slice(&entries);
        let doing = || format!("writing {} bytes of tables for graph `{}`", bytes.len(), plan.program.name);
        let memory = match bytes {
            [] => None,
            bytes => {
                let address = device.allocate_with(bytes).doing(doing)?;
                Some(Box::new(DeviceMemory::new(Arc::clone(device), address)))
            }
        };
        Ok(Some(Arc::new(Self { memory, starts, entries })))
    }

    /// Where the table of a list begins.
    pub(super) fn address(&self, node: NodeId, first: u32) -> u64 {
        let (Some(start), Some(memory)) = (self.starts.get(&(node, first)), &self.memory) else { return 0 };
        memory.address() + (start * size_of::<[u64; 2]>()) as u64
    }
}

/// Where the table of each list begins: by the launch, and by the first of the list's accesses.
type Starts = BTreeMap<(NodeId, u32), usize>;

/// Where the tables begin, and all entries.
fn entries(plan: &Plan, bindings: &Bindings) -> (Starts, Vec<[u64; 2]>) {
    let (mut starts, mut entries) = (BTreeMap::new(), Vec::new());
    for (node, step) in plan.steps.iter() {
        let Step::Kernel(step) = step else { continue };
        for argument in &step.arguments {
            let &StepArgument::List { first, count } = argument else { continue };
            starts.insert((node, first), entries.len());
            let accesses = plan.program.node(node).accesses.iter().skip(first as usize).take(count as usize);
            entries.extend(accesses.map(|access| {
                let buffer = bindings.call_buffer(plan, access);
                [buffer.address, buffer.elements as u64]
            }));
        }
    }
    (starts, entries)
}

impl Drop for Tables {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            memory.release(Vec::new());
        }
    }
}
