//! What kernels are declared to read before they wait: `#[early(…)]`.

use std::collections::BTreeSet;

use graph_ir::model::{BufferId, NodeId, RegionId};
use graph_ir::optimize::early::kept_full;

use crate::plan::{Plan, Step, StepArgument};

/// The nodes of a region whose edges stay full, whoever asks for an overlap.
pub(super) fn full(plan: &Plan, region: RegionId) -> BTreeSet<NodeId> {
    let Some(here) = plan.region(region) else { return BTreeSet::new() };
    kept_full(&plan.program, &here.order, &here.fusion, &|node| buffers(plan, node))
}

/// The buffers that a kernel reads early.
fn buffers(plan: &Plan, node: NodeId) -> Vec<BufferId> {
    let Some(Step::Kernel(kernel)) = plan.step(node) else { return Vec::new() };
    let accesses = &plan.program.node(node).accesses;
    let buffer = |parameter: &usize| match kernel.arguments.get(*parameter) {
        Some(StepArgument::Buffer(access)) => Some(accesses[*access as usize].buffer),
        _ => None,
    };
    kernel.declaration.early.iter().filter_map(buffer).collect()
}
