//! How many nodes can run side by side.

use super::Edge;
use super::order::{Adjacency, positions, topological};
use crate::model::NodeId;

/// Up to this many nodes the answer is exact.
const EXACT: usize = 512;

/// The size of the largest set of nodes of which none waits for another. Zero for no nodes or cyclic edges.
///
/// Exact up to 512 nodes (Dilworth: the nodes, less a maximum matching in the relation "runs before"); above that the most nodes
/// on one level, which is never more.
pub fn width(nodes: &[NodeId], edges: &[Edge]) -> usize {
    let Ok(order) = topological(nodes, edges) else { return 0 };
    let behind = Adjacency::new(order.len(), &positions(&order, edges));
    if order.len() <= EXACT { largest_antichain(order.len(), &behind) } else { widest_level(order.len(), &behind) }
}

/// The most nodes of a topological order on one level: as many, at least, can run side by side.
pub(crate) fn most_on_a_level(order: &[NodeId], edges: &[Edge]) -> usize {
    widest_level(order.len(), &Adjacency::new(order.len(), &positions(order, edges)))
}

/// A node's level is the length of the longest chain that it waits for.
fn widest_level(count: usize, behind: &Adjacency) -> usize {
    let mut level = vec![0_usize; count];
    let mut counts = vec![0_usize; count];
    for at in 0..count {
        counts[level[at]] += 1;
        for &(next, _) in behind.of(at) {
            level[next as usize] = level[next as usize].max(level[at] + 1);
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

/// By augmenting paths over the transitive closure, which is held as one bit set per node.
fn largest_antichain(count: usize, behind: &Adjacency) -> usize {
    let words = count.div_ceil(64);
    let mut after = vec![vec![0_u64; words]; count];
    for at in (0..count).rev() {
        for &(next, _) in behind.of(at) {
            let next = next as usize;
            let (early, late) = after.split_at_mut(next);
            early[at].iter_mut().zip(&late[0]).for_each(|(word, other)| *word |= other);
            early[at][next / 64] |= 1 << (next % 64);
        }
    }
    let mut before = vec![None; count];
    let matched = (0..count).filter(|&at| augment(at, &after, &mut vec![0; words], &mut before)).count();
    count - matched
}

/// Finds a partner behind `at`, moving others to other partners where that helps.
fn augment(at: usize, after: &[Vec<u64>], seen: &mut [u64], before: &mut [Option<usize>]) -> bool {
    for word in 0..seen.len() {
        loop {
            let free = after[at][word] & !seen[word];
            if free == 0 {
                break;
            }
            seen[word] |= free & free.wrapping_neg();
            let next = word * 64 + free.trailing_zeros() as usize;
            if before[next].is_none_or(|other| augment(other, after, seen, before)) {
                before[next] = Some(at);
                return true;
            }
        }
    }
    false
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

    #[test]
    fn nodes_on_different_levels_can_be_side_by_side() {
        // 0 -> 1 -> {2, 3} -> 4, and 5 -> 4: 2, 3 and 5 are free among themselves, on levels 2, 2 and 0.
        let nodes = [0, 1, 2, 3, 4, 5].map(NodeId);
        let edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (5, 4)].map(|(from, to)| Edge {
            from: NodeId(from),
            to: NodeId(to),
            reason: Reason::Effects,
        });
        assert_eq!(width(&nodes, &edges), 3);
    }

    #[test]
    fn many_nodes_are_counted_by_level() {
        let nodes: Vec<NodeId> = (0..1000).map(NodeId).collect();
        let edges: Vec<Edge> =
            (10..1000).map(|to| Edge { from: NodeId(to - 10), to: NodeId(to), reason: Reason::Effects }).collect();
        assert_eq!(width(&nodes, &edges), 10);
    }
}
