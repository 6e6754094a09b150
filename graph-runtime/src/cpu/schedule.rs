//! A region's edges in the form that a parallel run counts down.

use std::collections::HashMap;

use graph_ir::model::{BufferId, NodeId, Origin, RegionId};

use super::reversal::Reversal;
use crate::plan::{Plan, RegionPlan};

/// One region, by position in its topological order.
#[derive(Debug)]
pub(super) struct Schedule {
    /// The nodes, in a topological order.
    pub(super) nodes: Vec<NodeId>,
    /// Who waits for each.
    pub(super) behind: Vec<Vec<usize>>,
    /// For how many each waits.
    pub(super) waits: Vec<usize>,
    /// Whether no two nodes can run side by side.
    pub(super) line: bool,
    /// What is undefined when the region starts.
    pub(super) poisoned: Vec<BufferId>,
}

impl Schedule {
    /// The schedules of all regions, by region id.
    pub(super) fn of_all(plan: &Plan, reversal: Option<&Reversal>) -> Vec<Option<Self>> {
        let mut poisoned = vec![Vec::new(); plan.regions.len()];
        for (index, buffer) in plan.program.buffers.iter().enumerate() {
            let undefined = match buffer.origin {
                Origin::Parameter(mode) => !mode.reads(),
                // One that nobody names has no memory.
                Origin::Transient => plan.arena.offsets.get(index).is_some_and(Option::is_some),
                Origin::Static(_) => false,
            };
            if undefined {
                poisoned[buffer.region.0 as usize].push(BufferId(index as u32));
            }
        }
        let turned = reversal.map_or_else(|| vec![None; plan.regions.len()], |reversal| reversal.apply(plan));
        let regions = plan.regions.iter().zip(poisoned).zip(turned);
        regions.map(|((region, poisoned), turned)| Some(Self::of(region.as_ref()?, poisoned, turned))).collect()
    }

    /// `turned`: the edge by whose end its begin waits.
    fn of(region: &RegionPlan, poisoned: Vec<BufferId>, turned: Option<usize>) -> Self {
        let nodes = region.order.clone();
        let position: HashMap<_, _> = nodes.iter().enumerate().map(|(index, node)| (*node, index)).collect();
        let mut behind = vec![Vec::new(); nodes.len()];
        let mut waits = vec![0; nodes.len()];
        for (index, edge) in region.edges.iter().enumerate() {
            let (mut from, mut to) = (position[&edge.from], position[&edge.to]);
            if turned == Some(index) {
                std::mem::swap(&mut from, &mut to);
            }
            behind[from].push(to);
            waits[to] += 1;
        }
        let line = (1..nodes.len()).all(|index| behind[index - 1].contains(&index));
        Self { nodes, behind, waits, line, poisoned }
    }
}

/// The schedule of a region that is part of the graph.
pub(super) fn schedule(schedules: &[Option<Schedule>], region: RegionId) -> Option<&Schedule> {
    schedules.get(region.0 as usize).and_then(Option::as_ref)
}
