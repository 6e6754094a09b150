//! How many nodes can run side by side.

use std::collections::HashMap;

use super::{Edge, topological};
use crate::model::NodeId;

/// The most nodes on one level, where a node's level is the length of the longest chain that it waits for.
///
/// An estimate of the largest set of nodes that are free among themselves, from below. Zero for no nodes or cyclic edges.
pub fn width(nodes: &[NodeId], edges: &[Edge]) -> usize {
    let Ok(order) = topological(nodes, edges) else { return 0 };
    let mut waits: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for edge in edges {
        waits.entry(edge.to).or_default().push(edge.from);
    }
    let mut level: HashMap<NodeId, usize> = HashMap::with_capacity(order.len());
    let mut counts = Vec::new();
    for node in order {
        let earlier = waits.get(&node).into_iter().flatten();
        let own = earlier.filter_map(|from| level.get(from)).max().map_or(0, |deepest| deepest + 1);
        if counts.len() <= own {
            counts.resize(own + 1, 0);
        }
        counts[own] += 1;
        level.insert(node, own);
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
