//! What a CUDA graph has in the place of a region's edges: gates, and programmatic edges.

use std::collections::BTreeSet;

use graph_ir::model::{BufferId, NodeId, NodeKind, RegionId};
use graph_ir::optimize::{gates, overlap, overlap::Given, start};

use super::placed::Sources;
use super::{KernelStep, Parts, Pass, Plan, RegionPlan, Step, StepArgument};

/// A kernel in the block over more indices, or a fill of so much, begins when all in front of it is over: its blocks fill the device. Measured on an H200 with
/// conjugate gradients: up to 6 % slower at a million, mixed at a quarter of it.
const MOST_INDICES: u64 = 1 << 17;

impl Sources<'_> {
    /// Puts gates and programmatic edges into regions whose order is settled.
    pub(super) fn shape(self, regions: &mut [Option<RegionPlan>]) {
        let planning = self.how.planning;
        for (at, region) in regions.iter_mut().enumerate() {
            let Some(region) = region else { continue };
            if planning.runs(Pass::Gates) {
                region.gates = gates(&region.order, &region.edges, &region.fusion);
                if at == RegionId::GRAPH.0 as usize {
                    region.gates.extend(start(self.program, &region.order, &region.edges, &region.fusion));
                }
            }
            let RegionPlan { order, edges, fusion, gates, .. } = &*region;
            let given = Given {
                order,
                edges,
                fusion,
                gates,
                waits: &|node| self.kernel(node).is_some_and(|step| step.declaration.waits),
                waits_first: &|node| self.kernel(node).is_some_and(|step| step.declaration.waits_first),
                early: &|node| self.early(node),
                large: &|node| self.is_large(node),
                only_asked: !planning.runs(Pass::Overlap),
            };
            region.overlap = overlap(self.program, given);
        }
    }

    fn kernel(&self, node: NodeId) -> Option<&KernelStep> {
        match self.steps.get(node.0 as usize) {
            Some(Some(Step::Kernel(step))) => Some(step),
            _ => None,
        }
    }

    fn is_large(&self, node: NodeId) -> bool {
        match self.steps.get(node.0 as usize).and_then(Option::as_ref) {
            Some(Step::Compute(step)) => step.function.count() > MOST_INDICES,
            Some(Step::Fill { .. }) => {
                let filled = self.program.node(node).accesses.first().map(|access| self.program.buffer(access.buffer));
                filled.and_then(graph_ir::model::Buffer::length).is_none_or(|length| length > MOST_INDICES)
            }
            _ => false,
        }
    }

    /// The buffers that a kernel is declared to read before it waits.
    fn early(&self, node: NodeId) -> Vec<BufferId> {
        let Some(step) = self.kernel(node) else { return Vec::new() };
        let accesses = &self.program.node(node).accesses;
        let buffer = |parameter: &usize| match step.arguments.get(*parameter) {
            Some(StepArgument::Buffer(access)) => Some(accesses[*access as usize].buffer),
            _ => None,
        };
        step.declaration.early.iter().filter_map(buffer).collect()
    }
}

impl Plan {
    /// Whether a node may begin before another one is over that it waits for, on devices where kernels overlap.
    pub(super) fn overlaps(&self, from: NodeId, to: NodeId, parts: &Parts<'_>) -> bool {
        let region = self.region(self.program.node(to).region);
        region.is_some_and(|region| region.overlap.overlaps(from, to))
            && parts.launch_of(from) != parts.launch_of(to)
            && self.resident(to, parts).is_none()
    }

    /// The regions that have nodes of their own in a CUDA graph: not the bodies of loops that one launch runs.
    pub(super) fn launched_regions(&self, parts: &Parts<'_>) -> impl Iterator<Item = &RegionPlan> {
        let is_launched = |region: &RegionId| {
            let owner = self.program.region(*region).owner;
            owner.is_none_or(|owner| self.resident(owner, parts).is_none())
        };
        self.program.live_regions().into_iter().filter(is_launched).filter_map(|region| self.region(region))
    }

    /// How many launches begin before those that they wait for are over.
    pub(crate) fn early_launches(&self, parts: &Parts<'_>) -> usize {
        let begin = |region: &RegionPlan| {
            let early = region.edges.iter().filter(|edge| self.overlaps(edge.from, edge.to, parts));
            let early: BTreeSet<NodeId> = early.map(|edge| parts.launch_of(edge.to)).collect();
            let gates = (0..region.gates.len()).filter(|number| region.overlap.gate(*number)).count();
            let owner = region.order.first().and_then(|node| self.owner(*node));
            let is_loop = owner.is_some_and(|owner| matches!(self.program.node(owner).kind, NodeKind::Loop(_)));
            early.len() + gates + usize::from(is_loop && region.overlap.last())
        };
        self.launched_regions(parts).map(begin).sum()
    }
}
