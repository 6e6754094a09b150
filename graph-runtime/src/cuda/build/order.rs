//! The plan's edges, by the node that waits.

use std::ops::Range;

use graph_ir::analysis::dependence::Edge;
use graph_ir::model::{NodeId, RegionId};

use crate::plan::Plan;

/// Where each node's edges lie among its region's, and who is waited for.
pub(super) struct Order {
    incoming: Vec<Range<u32>>,
    waited_for: Vec<bool>,
}

impl Order {
    /// Of all regions of the plan.
    pub(super) fn of(plan: &Plan) -> Self {
        let nodes = plan.program.nodes.len();
        let mut order = Self { incoming: vec![0..0; nodes], waited_for: vec![false; nodes] };
        for region in plan.regions.iter().flatten() {
            for (index, edge) in region.edges.iter().enumerate() {
                order.add(index as u32, edge);
            }
        }
        order
    }

    fn add(&mut self, index: u32, edge: &Edge) {
        self.waited_for[edge.from.0 as usize] = true;
        let range = &mut self.incoming[edge.to.0 as usize];
        // Edges are sorted by the node that waits, so those of one node lie side by side.
        if range.start == range.end {
            range.start = index;
        }
        range.end = index + 1;
    }

    /// The nodes that a node of the region waits for.
    pub(super) fn before<'p>(
        &self,
        plan: &'p Plan,
        region: RegionId,
        node: NodeId,
    ) -> impl Iterator<Item = NodeId> + use<'p> {
        let Range { start, end } = self.incoming[node.0 as usize];
        let edges = plan.region(region).map_or(&[][..], |region| &region.edges);
        edges[start as usize..end as usize].iter().map(|edge| edge.from)
    }

    /// The nodes of a region that nobody waits for.
    pub(super) fn last<'p>(&self, plan: &'p Plan, region: RegionId) -> impl Iterator<Item = NodeId> + use<'_, 'p> {
        let nodes = plan.region(region).map_or(&[][..], |region| &region.order);
        nodes.iter().copied().filter(|node| !self.waited_for[node.0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::plan;
    use super::*;

    #[test]
    fn each_node_waits_for_its_edges_and_no_other() {
        let plan = plan();
        let order = Order::of(&plan);
        let before = |region, node| order.before(&plan, RegionId(region), NodeId(node)).collect::<Vec<_>>();
        assert_eq!(before(0, 0), []);
        assert_eq!(before(0, 1), []);
        assert_eq!(before(0, 6), [NodeId(0), NodeId(1)]);
        assert_eq!(before(1, 4), [NodeId(2)]);
        assert_eq!(before(2, 3), []);
    }

    #[test]
    fn the_last_nodes_are_those_that_nobody_waits_for() {
        let plan = plan();
        let order = Order::of(&plan);
        let last = |region| order.last(&plan, RegionId(region)).collect::<Vec<_>>();
        assert_eq!(last(0), [NodeId(6)]);
        assert_eq!(last(1), [NodeId(4)]);
        assert_eq!(last(2), [NodeId(3)]);
        assert_eq!(last(4), []);
    }
}
