//! Memory of reductions: their blocks' values, and the counter that tells the last block. Of loops that one launch runs: the
//! counter by which their blocks wait for each other, and the gate behind it.

use std::sync::Arc;

use graph_ir::model::NodeId;

use crate::compute::ComputeKind;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::Doing;
use crate::cuda::memory::DeviceMemory;
use crate::device::RawMemory;
use crate::error::Result;
use crate::plan::{Plan, Step};
use crate::scalar::ptx::MOST_BLOCKS;

/// Bytes of the blocks' values, for any number of indices.
const PARTIALS: u64 = MOST_BLOCKS as u64 * size_of::<u64>() as u64;

/// Bytes of one reduction or loop.
const SHARE: u64 = PARTIALS + 256;

/// One share for each reduction of a graph, and for each loop that one launch runs. A reduction's counter is zero whenever no launch runs,
/// and so are the low 31 bits of a loop's.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    memory: Option<Box<DeviceMemory>>,
    /// In order.
    nodes: Vec<NodeId>,
}

impl Scratch {
    pub(super) fn new(plan: &Plan, wholes: impl Iterator<Item = NodeId>, device: &Arc<DeviceState>) -> Result<Self> {
        let ids = (0..plan.program.nodes.len() as u32).map(NodeId);
        let reduces = |node: &NodeId| match plan.step(*node) {
            Some(Step::Compute(step)) => matches!(step.function.kind, ComputeKind::Reduce { .. }),
            _ => false,
        };
        let mut nodes: Vec<NodeId> = ids.filter(reduces).chain(wholes).collect();
        nodes.sort_unstable();
        if nodes.is_empty() {
            return Ok(Self::default());
        }
        let bytes = nodes.len() as u64 * SHARE;
        let doing =
            || format!("allocating {bytes} bytes for the reductions and loops of graph `{}`", plan.program.name);
        let address = device.allocate_zeroed(bytes as usize).doing(doing)?;
        Ok(Self { memory: Some(Box::new(DeviceMemory::new(Arc::clone(device), address))), nodes })
    }

    /// The addresses of a reduction's values, and of the counter, which is all that a loop has.
    pub(super) fn share(&self, node: NodeId) -> Option<[u64; 2]> {
        let position = self.nodes.binary_search(&node).ok()?;
        let first = self.memory.as_ref()?.address() + position as u64 * SHARE;
        Some([first, first + PARTIALS])
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            memory.release(Vec::new());
        }
    }
}
