//! A region's edges in the form that a parallel run counts down.

use std::collections::HashMap;

use graph_ir::model::{BufferId, NodeId, Origin, RegionId};

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
    pub(super) fn of_all(plan: &Plan) -> Vec<Option<Self>> {
        let mut poisoned = vec![Vec::new(); plan.regions.len()];
        for (index, buffer) in plan.program.buffers.iter().enumerate() {
            let undefined = match buffer.origin {
                Origin::Parameter(mode) => !mode.reads(),
                Origin::Transient => true,
                Origin::Static(_) => false,
            };
            if undefined {
                poisoned[buffer.region.0 as usize].push(BufferId(index as u32));
            }
        }
        let regions = plan.regions.iter().zip(poisoned);
        regions.map(|(region, poisoned)| region.as_ref().map(|region| Self::of(region, poisoned))).collect()
    }

    fn of(region: &RegionPlan, poisoned: Vec<BufferId>) -> Self {
        let nodes = region.order.clone();
        let position: HashMap<_, _> = nodes.iter().enumerate().map(|(index, node)| (*node, index)).collect();
        let mut behind = vec![Vec::new(); nodes.len()];
        let mut waits = vec![0; nodes.len()];
        for edge in &region.edges {
            let (from, to) = (position[&edge.from], position[&edge.to]);
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
