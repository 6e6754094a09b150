//! How long a launch takes by how long its nodes take, as the model of the optimiser has it.

use graph_ir::model::{NodeId, RegionId};
use graph_ir::optimize::Gate;
use graph_ir::optimize::lanes::{Costs, Given, Urgency, estimate};

use super::Plan;
use super::placed::BETWEEN;

/// How long nodes take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    /// By node id: nanoseconds of a run, and how many runs a launch of the graph makes.
    nodes: Vec<(u64, u64)>,
}

impl Times {
    /// Nothing is known of so many nodes.
    pub(crate) fn none(nodes: usize) -> Self {
        Self { nodes: vec![(0, 1); nodes] }
    }

    /// What is known of a node.
    pub(crate) fn set(&mut self, node: NodeId, nanoseconds: u64, runs: u64) {
        self.nodes[node.0 as usize] = (nanoseconds, runs.max(1));
    }

    /// By node id, in nanoseconds: of a conditional, what is run in its bodies too.
    pub(crate) fn durations(&self, plan: &Plan) -> Vec<u64> {
        let mut all: Vec<u64> = self.nodes.iter().map(|(time, _)| *time).collect();
        for node in plan.node_ids() {
            let (time, runs) = self.nodes[node.0 as usize];
            for owner in std::iter::successors(plan.owner(node), |owner| plan.owner(*owner)) {
                let entered = self.runs(plan, plan.program.node(owner).region);
                let inside = time.saturating_mul(runs) / entered.max(1);
                all[owner.0 as usize] = all[owner.0 as usize].saturating_add(inside);
            }
        }
        all
    }

    /// How often a launch of the graph runs a region.
    fn runs(&self, plan: &Plan, region: RegionId) -> u64 {
        let nodes = &plan.program.region(region).nodes;
        let most = || nodes.iter().map(|node| self.nodes[node.0 as usize].1).max().unwrap_or(1);
        if region == RegionId::GRAPH { 1 } else { most() }
    }
}

impl Plan {
    /// How long a launch takes, in nanoseconds, beside what is the same however it is dealt. `None` if that cannot be said.
    pub(crate) fn estimate(&self, times: &Times) -> Option<u64> {
        let durations = times.durations(self);
        let between = |node: NodeId| durations[node.0 as usize].max(LEAST).saturating_add(BETWEEN);
        let mut sum = 0_u64;
        for (region, id) in self.regions.iter().zip((0..).map(RegionId)) {
            let Some(region) = region else { continue };
            let (order, edges, fusion) = (&region.order, &region.edges, &region.fusion);
            let given = Given { order, edges, fusion, durations: &between, urgency: Urgency::LongestPath };
            let costs = match id {
                RegionId::GRAPH if region.gates.iter().any(Gate::is_start) => Costs::STARTED,
                RegionId::GRAPH => Costs::GRAPH,
                _ => Costs::BODY,
            };
            let once = estimate(&self.program, given, costs)?;
            sum = sum.saturating_add(once.saturating_mul(times.runs(self, id)));
        }
        Some(sum)
    }
}

/// Nanoseconds that a kernel takes that does no more than load and store an element.
const LEAST: u64 = 700;
