//! How many nodes can run side by side.

use super::Edge;
use super::order::{Adjacency, positions, topological};
use crate::model::NodeId;

/// The most nodes on one level, where a node's level is the length of the longest chain that it waits for.
///
/// An estimate of the largest set of nodes that are free among themselves, from below. Zero for no nodes or cyclic edges.
pub fn width(nodes: &[NodeId], edges: &[Edge]) -> usize {
    let Ok(order) = topological(nodes, edges) else { return 0 };
    let pairs = positions(&order, edges);
    let behind = Adjacency::new(order.len(), &pairs);
    let mut level = vec![0_usize; order.len()];
    let mut counts = Vec::new();
    for at in 0..order.len() {
        let own = level[at];
        if counts.len() <= own {
            counts.resize(own + 1, 0);
        }
        counts[own] += 1;
        for &(next, _) in behind.of(at) {
            level[next as usize] = level[next as usize].max(own + 1);
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Reason;

    #[test]
    fn a_diamond_is_two_wide() {
        let nodes = [0, 1, 2, 3].map(NodeId);
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(from, to)| Edge {
            from: NodeId(from),
            to: NodeId(to),
            reason: Reason::Effects,
        });
        assert_eq!(width(&nodes, &edges), 2);
        assert_eq!(width(&nodes, &edges[..1]), 3);
        assert_eq!(width(&[], &[]), 0);
    }
}
