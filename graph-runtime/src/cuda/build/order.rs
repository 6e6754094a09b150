//! The plan's edges, by the node that waits.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use graph_ir::analysis::dependence::Edge;
use graph_ir::model::{NodeId, RegionId};

use crate::plan::{Part, Parts, Plan};

/// Where each node's edges lie among its region's, and who is waited for.
pub(super) struct Order<'p> {
    incoming: Vec<Range<u32>>,
    waited_for: Vec<bool>,
    parts: Parts<'p>,
    /// By node: the gates that it waits for, each with the launches whose place that takes.
    gates: HashMap<NodeId, Vec<Gated>>,
}

/// A gate of a region, by number.
struct Gated {
    number: usize,
    /// Ascending.
    before: Rc<[NodeId]>,
}

impl<'p> Order<'p> {
    /// Of all regions of the plan.
    pub(super) fn of(plan: &'p Plan) -> Self {
        let nodes = plan.program.nodes.len();
        let parts = Parts::of(plan);
        let (incoming, waited_for) = (vec![0..0; nodes], vec![false; nodes]);
        let mut order = Self { incoming, waited_for, parts, gates: HashMap::new() };
        for region in plan.regions.iter().flatten() {
            for (index, edge) in region.edges.iter().enumerate() {
                order.add(index as u32, edge);
            }
            for (number, gate) in region.gates.iter().enumerate() {
                let mut before = gate.before.clone();
                before.sort_unstable();
                let before: Rc<[NodeId]> = before.into();
                for node in &gate.behind {
                    order.gates.entry(*node).or_default().push(Gated { number, before: Rc::clone(&before) });
                }
            }
        }
        order
    }

    fn add(&mut self, index: u32, edge: &Edge) {
        // A test that makes assignments waits for what they wait for.
        self.waited_for[edge.from.0 as usize] |= self.parts.part(edge.to) != Part::Tail;
        let range = &mut self.incoming[edge.to.0 as usize];
        // Edges are sorted by the node that waits, so those of one node lie side by side.
        if range.start == range.end {
            range.start = index;
        }
        range.end = index + 1;
    }

    /// Whether any nodes do.
    pub(super) fn shares_launches(&self) -> bool {
        !self.parts.is_empty()
    }

    /// What a node is among those that share a launch.
    pub(super) fn part(&self, node: NodeId) -> Part<'p> {
        self.parts.part(node)
    }

    /// The nodes that a node of the region waits for itself, beside its gates.
    pub(super) fn before<'q>(
        &'q self,
        plan: &'q Plan,
        region: RegionId,
        node: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'q {
        let Range { start, end } = self.incoming[node.0 as usize];
        let edges = plan.region(region).map_or(&[][..], |region| &region.edges);
        let gates = self.gates.get(&node).map_or(&[][..], Vec::as_slice);
        let itself = |from: &NodeId| {
            gates.is_empty()
                || !gates.iter().any(|gate| gate.before.binary_search(&self.parts.launch_of(*from)).is_ok())
        };
        edges[start as usize..end as usize].iter().map(|edge| edge.from).filter(itself)
    }

    /// The gates of its region that a node waits for, by number.
    pub(super) fn gates(&self, node: NodeId) -> Vec<usize> {
        self.gates.get(&node).into_iter().flatten().map(|gate| gate.number).collect()
    }

    /// The nodes of a region that nobody waits for.
    pub(super) fn last<'q>(&self, plan: &'q Plan, region: RegionId) -> impl Iterator<Item = NodeId> + use<'_, 'q, 'p> {
        let nodes = plan.region(region).map_or(&[][..], |region| &region.order);
        nodes.iter().copied().filter(|node| !self.waited_for[node.0 as usize] && self.part(*node) != Part::Tail)
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
