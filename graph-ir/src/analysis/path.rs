//! Ways from one node to another.

use std::collections::{BTreeMap, VecDeque};

use super::Edge;
use crate::model::NodeId;

/// Edges by the node that they start at.
pub(crate) struct Behind<'e>(BTreeMap<NodeId, Vec<&'e Edge>>);

impl<'e> Behind<'e> {
    pub(crate) fn of(edges: impl IntoIterator<Item = &'e Edge>) -> Self {
        let mut behind = BTreeMap::<_, Vec<_>>::new();
        for edge in edges {
            behind.entry(edge.from).or_default().push(edge);
        }
        Self(behind)
    }

    /// The fewest edges from one node to another.
    pub(crate) fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<Edge>> {
        let mut reached: BTreeMap<NodeId, Option<&Edge>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().filter(|node| *node != to) {
            for edge in self.0.get(&node).into_iter().flatten() {
                reached.entry(edge.to).or_insert_with(|| {
                    queue.push_back(edge.to);
                    Some(edge)
                });
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while let Some(edge) = *reached.get(&at)? {
            path.push(*edge);
            at = edge.from;
        }
        path.reverse();
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;

    proptest! {
        #[test]
        fn a_path_is_as_long_as_the_distance(pairs in prop::collection::vec((0..9_u32, 0..9_u32), 0..20)) {
            let edge = |(one, other): &(u32, u32)| {
                let (from, to) = (NodeId(*one.min(other)), NodeId(*one.max(other)));
                (from != to).then_some(Edge { from, to, reason: Reason::Effects })
            };
            let edges: Vec<Edge> = pairs.iter().filter_map(edge).collect();
            // Distances by relaxing every edge as often as there are nodes.
            for from in 0..9 {
                let mut far = [u32::MAX; 9];
                far[from] = 0;
                for _ in 0..9 {
                    for edge in &edges {
                        let through = far[edge.from.0 as usize].saturating_add(1);
                        far[edge.to.0 as usize] = far[edge.to.0 as usize].min(through);
                    }
                }
                for to in (0..9).filter(|to| *to != from) {
                    let path = Behind::of(&edges).path(NodeId(from as u32), NodeId(to as u32));
                    prop_assert_eq!(path.as_ref().map(|path| path.len() as u32), (far[to] != u32::MAX).then_some(far[to]));
                    let path = path.unwrap_or_default();
                    prop_assert!(path.windows(2).all(|pair| pair[0].to == pair[1].from));
                    prop_assert!(path.iter().all(|edge| edges.contains(edge)));
                }
            }
        }
    }
}
