//! Loops that one launch can run whole: its blocks stay on the device, run the kernels of all passes and wait for each other in between.
//!
//! The blocks take the device for themselves, so nothing may run beside such a loop. They wait for each other at the end of each pass, and
//! in front of a launch that waits for one since they last did.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::analysis::Edge;
use crate::model::NodeId;

/// One launch of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The first node of the launch.
    pub launch: NodeId,
    /// Whether all blocks wait for each other in front of it.
    pub waits: bool,
}

/// Whether nothing of its region runs beside a node: each other one comes before it or behind it. `order` is topological.
pub fn is_alone(node: NodeId, order: &[NodeId], edges: &[Edge]) -> bool {
    let Some(position) = order.iter().position(|other| *other == node) else { return false };
    let pairs = || edges.iter().map(|edge| (edge.from, edge.to));
    let before: Vec<NodeId> = order[..position].iter().rev().copied().collect();
    reached(node, &order[position + 1..], pairs().map(|(from, to)| (to, from))) && reached(node, &before, pairs())
}

/// Whether a way leads from each of the nodes to `node`, by these steps. They are in an order such that ways lead to earlier ones.
fn reached(node: NodeId, nodes: &[NodeId], steps: impl Iterator<Item = (NodeId, NodeId)>) -> bool {
    let mut ways: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (from, to) in steps {
        ways.entry(from).or_default().push(to);
    }
    let mut leads = HashSet::from([node]);
    let mut leads_on =
        |other: &NodeId| ways.get(other).into_iter().flatten().any(|next| leads.contains(next)) && leads.insert(*other);
    nodes.iter().all(&mut leads_on)
}

/// The launches of a body in order. `launch_of` names the first node of the launch that a node is in; none for what the test does.
pub fn phases(order: &[NodeId], edges: &[Edge], launch_of: &dyn Fn(NodeId) -> Option<NodeId>) -> Vec<Phase> {
    let mut waits: HashMap<NodeId, BTreeSet<NodeId>> = HashMap::new();
    for edge in edges {
        if let (Some(from), Some(to)) = (launch_of(edge.from), launch_of(edge.to)) {
            waits.entry(to).or_default().insert(from);
        }
    }
    let mut phases = Vec::new();
    // Since the blocks have last waited.
    let mut open: BTreeSet<NodeId> = BTreeSet::new();
    for launch in order.iter().copied().filter(|node| launch_of(*node) == Some(*node)) {
        let waits = waits.get(&launch).is_some_and(|before| !before.is_disjoint(&open));
        if waits {
            open.clear();
        }
        open.insert(launch);
        phases.push(Phase { launch, waits });
    }
    phases
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;

    const NODES: u32 = 7;

    fn edge((from, to): (u32, u32)) -> Edge {
        Edge { from: NodeId(from), to: NodeId(to), reason: Reason::Effects }
    }

    /// Edges that lead on in the order of the numbers.
    fn edges() -> impl Strategy<Value = Vec<Edge>> {
        proptest::collection::vec((0..NODES, 0..NODES), 0..10)
            .prop_map(|pairs| pairs.into_iter().filter(|(from, to)| from < to).map(edge).collect())
    }

    /// Which nodes come behind which, by all ways.
    fn closure(edges: &[Edge]) -> BTreeSet<(u32, u32)> {
        let mut pairs: BTreeSet<(u32, u32)> = edges.iter().map(|edge| (edge.from.0, edge.to.0)).collect();
        for middle in 0..NODES {
            for from in 0..NODES {
                for to in 0..NODES {
                    if pairs.contains(&(from, middle)) && pairs.contains(&(middle, to)) {
                        pairs.insert((from, to));
                    }
                }
            }
        }
        pairs
    }

    proptest! {
        #[test]
        fn a_node_is_alone_if_all_others_come_before_it_or_behind_it(edges in edges(), node in 0..NODES) {
            let order: Vec<NodeId> = (0..NODES).map(NodeId).collect();
            let pairs = closure(&edges);
            let expected = (0..NODES).all(|other| other == node || pairs.contains(&(other, node)) || pairs.contains(&(node, other)));
            prop_assert_eq!(is_alone(NodeId(node), &order, &edges), expected);
        }

        #[test]
        fn blocks_wait_between_what_an_edge_orders_and_nowhere_else(edges in edges()) {
            let order: Vec<NodeId> = (0..NODES).map(NodeId).collect();
            // 1 is in the launch of 0, and the test does 6.
            let launch_of = |node: NodeId| match node.0 {
                0 | 1 => Some(NodeId(0)),
                6 => None,
                _ => Some(node),
            };
            let phases = phases(&order, &edges, &launch_of);
            let launches: Vec<u32> = phases.iter().map(|phase| phase.launch.0).collect();
            prop_assert_eq!(launches, vec![0, 2, 3, 4, 5]);
            // How often the blocks have waited in front of each launch.
            let waited = |node: u32| {
                let at = phases.iter().position(|phase| Some(phase.launch) == launch_of(NodeId(node)));
                at.map(|at| phases[..=at].iter().filter(|phase| phase.waits).count())
            };
            for edge in &edges {
                let (from, to) = (waited(edge.from.0), waited(edge.to.0));
                let same = launch_of(edge.from) == launch_of(edge.to);
                prop_assert!(same || from.is_none() || to.is_none() || from < to, "{:?}", edge);
            }
            for pair in phases.windows(2).filter(|pair| pair[1].waits) {
                let since = |from: u32| waited(from) == waited(pair[0].launch.0);
                let needed = edges.iter().any(|edge| launch_of(edge.to) == Some(pair[1].launch) && since(edge.from.0));
                prop_assert!(needed, "{:?}", pair);
            }
        }
    }

    #[test]
    fn what_is_not_there_is_not_alone() {
        assert!(!is_alone(NodeId(3), &[NodeId(0)], &[]));
        assert!(is_alone(NodeId(0), &[NodeId(0)], &[]));
    }
}
