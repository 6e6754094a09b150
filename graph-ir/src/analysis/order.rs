//! A deterministic topological order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Edge;
use crate::model::NodeId;

/// Some nodes wait for each other, so there is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} nodes wait for each other", nodes.len())]
pub struct Cyclic {
    /// Those that are in or behind a cycle, by id.
    pub nodes: Vec<NodeId>,
}

/// Edges by the node that they start at, as positions in a list of nodes.
pub(crate) struct Adjacency {
    first: Vec<u32>,
    entries: Vec<(u32, u32)>,
}

impl Adjacency {
    /// Groups `(from, to)` pairs by `from`; each entry keeps the index of its pair.
    pub(crate) fn new(nodes: usize, pairs: &[Option<(u32, u32)>]) -> Self {
        let mut first = vec![0_u32; nodes + 1];
        for (from, _) in pairs.iter().flatten() {
            first[*from as usize + 1] += 1;
        }
        for at in 0..nodes {
            first[at + 1] += first[at];
        }
        let mut next = first.clone();
        let mut entries = vec![(0, 0); first[nodes] as usize];
        for (index, pair) in pairs.iter().enumerate() {
            if let Some((from, to)) = *pair {
                entries[next[from as usize] as usize] = (to, index as u32);
                next[from as usize] += 1;
            }
        }
        Self { first, entries }
    }

    /// The ends of the edges that start at a position, each with its edge's index.
    pub(crate) fn of(&self, at: usize) -> &[(u32, u32)] {
        &self.entries[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

/// The edges as positions in a list of nodes; `None` for those that leave it.
pub(crate) fn positions(nodes: &[NodeId], edges: &[Edge]) -> Vec<Option<(u32, u32)>> {
    let size = nodes.iter().map(|node| node.0 as usize + 1).max().unwrap_or(0);
    let mut position = vec![None; size];
    for (at, node) in nodes.iter().enumerate() {
        position[node.0 as usize] = Some(at as u32);
    }
    let at = |node: NodeId| position.get(node.0 as usize).copied().flatten();
    edges.iter().map(|edge| Some((at(edge.from)?, at(edge.to)?))).collect()
}

/// The nodes in an order in which each comes behind all that it waits for; of those that are ready, the first in the list.
///
/// # Errors
/// If the edges form a cycle.
pub fn topological(nodes: &[NodeId], edges: &[Edge]) -> Result<Vec<NodeId>, Cyclic> {
    let pairs = positions(nodes, edges);
    let behind = Adjacency::new(nodes.len(), &pairs);
    let mut waiting = vec![0_u32; nodes.len()];
    for (_, to) in pairs.iter().flatten() {
        waiting[*to as usize] += 1;
    }
    let free = (0..nodes.len()).filter(|at| waiting[*at] == 0);
    let mut ready: BinaryHeap<_> = free.map(Reverse).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(at)) = ready.pop() {
        order.push(nodes[at]);
        for &(next, _) in behind.of(at) {
            let next = next as usize;
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(Reverse(next));
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
    fn the_first_ready_node_of_the_list_comes_first() {
        let nodes = [3, 1, 2, 0].map(NodeId);
        let order = topological(&nodes, &[edge(3, 0), edge(2, 1)]).unwrap();
        assert_eq!(order, [3, 2, 1, 0].map(NodeId));
    }

    #[test]
    fn a_cycle_has_no_order() {
        let nodes = [0, 1, 2].map(NodeId);
        let cyclic = topological(&nodes, &[edge(1, 2), edge(2, 1)]).unwrap_err();
        assert_eq!(cyclic.nodes, [1, 2].map(NodeId));
    }
}
