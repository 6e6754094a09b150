//! A deterministic topological order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::Edge;
use crate::model::NodeId;

/// Some nodes wait for each other, so there is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} nodes wait for each other", nodes.len())]
pub struct Cyclic {
    /// Those that are in or behind a cycle, by id.
    pub nodes: Vec<NodeId>,
}

/// The nodes in an order in which each comes behind all that it waits for; of those that are ready, the smallest id first.
///
/// # Errors
/// If the edges form a cycle.
pub fn topological(nodes: &[NodeId], edges: &[Edge]) -> Result<Vec<NodeId>, Cyclic> {
    let index: HashMap<NodeId, usize> = nodes.iter().enumerate().map(|(index, node)| (*node, index)).collect();
    let mut waiting = vec![0_usize; nodes.len()];
    let mut behind = vec![Vec::new(); nodes.len()];
    for edge in edges {
        if let (Some(&from), Some(&to)) = (index.get(&edge.from), index.get(&edge.to)) {
            behind[from].push(to);
            waiting[to] += 1;
        }
    }
    let free = (0..nodes.len()).filter(|at| waiting[*at] == 0);
    let mut ready: BinaryHeap<_> = free.map(|at| Reverse((nodes[at], at))).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse((node, at))) = ready.pop() {
        order.push(node);
        for &next in &behind[at] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(Reverse((nodes[next], next)));
            }
        }
    }
    if order.len() == nodes.len() {
        return Ok(order);
    }
    let mut left: Vec<_> = (0..nodes.len()).filter(|at| waiting[*at] > 0).map(|at| nodes[at]).collect();
    left.sort_unstable();
    Err(Cyclic { nodes: left })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Reason;

    fn edge(from: u32, to: u32) -> Edge {
        Edge { from: NodeId(from), to: NodeId(to), reason: Reason::Effects }
    }

    #[test]
    fn the_smallest_ready_node_comes_first() {
        let nodes = [3, 1, 2, 0].map(NodeId);
        let order = topological(&nodes, &[edge(3, 0), edge(2, 1)]).unwrap();
        assert_eq!(order, [2, 1, 3, 0].map(NodeId));
    }

    #[test]
    fn a_cycle_has_no_order() {
        let nodes = [0, 1, 2].map(NodeId);
        let cyclic = topological(&nodes, &[edge(1, 2), edge(2, 1)]).unwrap_err();
        assert_eq!(cyclic.nodes, [1, 2].map(NodeId));
    }
}
