//! What kernels read before they wait: `#[early(…)]`.
//!
//! A kernel that overlaps is begun when those in front of it have begun, however far the chain of such edges goes back. What it reads early
//! must not be what one of them writes, so where any node in front of it in its region does, its edges stay full: then everything in
//! front of it is over when it begins. What lies in front of the region is over when the region begins.

use std::collections::BTreeSet;

use graph_ir::analysis::effects;
use graph_ir::model::{BufferId, Mode, NodeId};

use crate::plan::{KernelStep, Plan, Step, StepArgument};

/// The buffers that a region's nodes have written so far, if any kernel of the plan asks.
pub(super) struct Written {
    buffers: Option<BTreeSet<BufferId>>,
}

impl Written {
    /// Of a region's beginning.
    pub(super) fn new(plan: &Plan) -> Self {
        let mut steps = plan.steps.iter().flatten();
        let asked = steps.any(|step| matches!(step, Step::Kernel(kernel) if !kernel.declaration.early.is_empty()));
        Self { buffers: asked.then(BTreeSet::new) }
    }

    /// A node is behind those that come next.
    pub(super) fn add(&mut self, plan: &Plan, node: NodeId) {
        let Some(buffers) = &mut self.buffers else { return };
        let accesses = effects::accesses(&plan.program, node);
        buffers.extend(accesses.iter().filter(|access| access.mode != Mode::Read).map(|access| access.buffer));
    }

    /// Whether a kernel reads any of them before it waits.
    pub(super) fn is_read_early(&self, plan: &Plan, node: NodeId) -> bool {
        let (Some(buffers), Some(Step::Kernel(kernel))) = (&self.buffers, &plan.steps[node.0 as usize]) else {
            return false;
        };
        let accesses = &plan.program.node(node).accesses;
        early(kernel).any(|access| buffers.contains(&accesses[access as usize].buffer))
    }
}

/// Which of its accesses the kernel reads early.
fn early(kernel: &KernelStep) -> impl Iterator<Item = u32> {
    kernel.declaration.early.iter().filter_map(|parameter| match kernel.arguments.get(*parameter) {
        Some(StepArgument::Buffer(access)) => Some(*access),
        _ => None,
    })
}
