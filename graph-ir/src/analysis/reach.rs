//! Which pairs of nodes a set of edges orders.

use std::collections::HashMap;

use super::order::{Adjacency, positions};
use super::{Edge, topological};
use crate::model::NodeId;

/// Sources per sweep.
const CHUNK: usize = 512;

type Mask = [u64; CHUNK / 64];

/// A pair of nodes by their positions in the order, with its own number.
type Pair = (usize, usize, usize);

/// Whether a way of edges leads from the first of each pair to the second; nothing if the edges form a cycle. The nodes are swept in
/// order with a set of `CHUNK` sources at a time, as far as the pairs ask: never more than nodes × edges / `CHUNK` steps.
pub(crate) fn ordered(nodes: &[NodeId], edges: &[Edge], pairs: &[(NodeId, NodeId)]) -> Option<Vec<bool>> {
    let order = topological(nodes, edges).ok()?;
    let at: HashMap<NodeId, usize> = order.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let backwards: Vec<_> = positions(&order, edges).iter().map(|pair| pair.map(|(from, to)| (to, from))).collect();
    let waits = Adjacency::new(order.len(), &backwards);
    let mut found = vec![false; pairs.len()];
    let known = |(number, (from, to)): (usize, &(NodeId, NodeId))| Some((*at.get(from)?, *at.get(to)?, number));
    let mut asked: Vec<Pair> = pairs.iter().enumerate().filter_map(known).filter(|(from, to, _)| from < to).collect();
    asked.sort_unstable();
    let mut masks = vec![[0; CHUNK / 64]; order.len()];
    for chunk in asked.chunk_by(|one, other| one.0 / CHUNK == other.0 / CHUNK) {
        sweep(chunk, &waits, &mut masks, &mut found);
    }
    Some(found)
}

/// Answers the pairs whose first nodes are in one chunk.
fn sweep(asked: &[Pair], waits: &Adjacency, masks: &mut [Mask], found: &mut [bool]) {
    let start = asked.first().map_or(0, |(from, ..)| from / CHUNK * CHUNK);
    let last = asked.iter().map(|(_, to, _)| *to).max().unwrap_or(start);
    for to in start..=last {
        let mut mask = [0; CHUNK / 64];
        if let Some(own) = Some(to - start).filter(|own| *own < CHUNK) {
            mask[own / 64] = 1 << (own % 64);
        }
        for &(from, _) in waits.of(to).iter().filter(|(from, _)| *from as usize >= start) {
            mask.iter_mut().zip(masks[from as usize]).for_each(|(own, other)| *own |= other);
        }
        masks[to] = mask;
    }
    for &(from, to, number) in asked {
        let bit = from - start;
        found[number] = masks[to][bit / 64] >> (bit % 64) & 1 == 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;
    use crate::analysis::path::Behind;

    fn edge((from, to): (u32, u32)) -> Edge {
        Edge { from: NodeId(from), to: NodeId(to), reason: Reason::Effects }
    }

    #[test]
    fn ways_lead_across_chunks() {
        let count = 3 * CHUNK as u32 + 5;
        let nodes: Vec<_> = (0..count).map(NodeId).collect();
        let edges: Vec<_> = (2..count).step_by(2).map(|to| edge((to - 2, to))).collect();
        let asked = [(0, count - 1), (1, 3), (600, 1500), (1500, 600), (601, 1500)];
        let asked = asked.map(|(from, to)| (NodeId(from), NodeId(to)));
        assert_eq!(ordered(&nodes, &edges, &asked), Some(vec![true, false, true, false, false]));
        assert_eq!(ordered(&nodes, &[edge((0, 1)), edge((1, 0))], &asked), None);
    }

    proptest! {
        #[test]
        fn a_pair_is_ordered_if_and_only_if_there_is_a_path(pairs in prop::collection::vec((0..9_u32, 0..9_u32), 0..20)) {
            let turned = |(one, other): &(u32, u32)| (*one.min(other), *one.max(other));
            let edges: Vec<_> = pairs.iter().map(turned).filter(|(one, other)| one != other).map(edge).collect();
            // In another order than that of their numbers.
            let nodes: Vec<_> = (0..9).rev().map(NodeId).collect();
            let all: Vec<_> = (0..9).flat_map(|one| (0..9).map(move |other| (NodeId(one), NodeId(other)))).collect();
            let all: Vec<_> = all.into_iter().filter(|(one, other)| one != other).collect();
            let behind = Behind::of(&edges);
            let paths: Vec<_> = all.iter().map(|(from, to)| behind.path(*from, *to).is_some()).collect();
            prop_assert_eq!(ordered(&nodes, &edges, &all), Some(paths));
        }
    }
}
