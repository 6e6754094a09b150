//! Transitive reduction: drops each edge that a longer way between its ends implies.
//!
//! Exact, and unique for edges without cycles. The nodes are swept in topological order with a set of `CHUNK` sources at a time;
//! each node learns which of them reach it through another node, which is what makes an edge redundant. A sweep ends where the last
//! edge out of its chunk ends, so where edges are short the cost is linear, and never more than nodes × edges / `CHUNK` steps.

use std::ops::Range;

use crate::analysis::order::{Adjacency, positions};
use crate::analysis::{Edge, Edges, topological};
use crate::model::{NodeId, Program, RegionId};

/// Sources per sweep.
const CHUNK: usize = 512;

type Mask = [u64; CHUNK / 64];

/// [`reduce`] for every region.
pub fn reduce_all(program: &Program, edges: &Edges) -> Edges {
    edges.iter().map(|(region, edges)| (*region, reduce(program, *region, edges))).collect()
}

/// The fewest edges of a region that order the same pairs of nodes, in the order given. Cyclic edges come back as they are.
pub fn reduce(program: &Program, region: RegionId, edges: &[Edge]) -> Vec<Edge> {
    match topological(&program.region(region).nodes, edges) {
        Ok(order) => reduce_in(&order, edges),
        Err(_) => edges.to_vec(),
    }
}

/// The same for a region whose nodes have this topological order, which the edges that are left have too.
pub fn reduce_in(order: &[NodeId], edges: &[Edge]) -> Vec<Edge> {
    let pairs = positions(order, edges);
    let backwards: Vec<_> = pairs.iter().map(|pair| pair.map(|(from, to)| (to, from))).collect();
    let waits = Adjacency::new(order.len(), &backwards);
    let mut redundant = vec![false; edges.len()];
    let mut through = vec![[0; CHUNK / 64]; order.len()];
    for (chunk, last) in last_targets(&waits, order.len()).into_iter().enumerate() {
        sweep(chunk * CHUNK..order.len().min(chunk * CHUNK + CHUNK), last, &waits, &mut through, &mut redundant);
    }
    edges.iter().zip(redundant).filter(|(_, redundant)| !redundant).map(|(edge, _)| *edge).collect()
}

/// Per chunk of sources, the last position with several edges of which one comes from the chunk: only those can be redundant.
fn last_targets(waits: &Adjacency, nodes: usize) -> Vec<Option<usize>> {
    let mut last = vec![None; nodes.div_ceil(CHUNK)];
    for to in 0..nodes {
        let waits = waits.of(to);
        for (from, _) in waits.iter().filter(|_| waits.len() > 1) {
            last[*from as usize / CHUNK] = Some(to);
        }
    }
    last
}

/// Marks the redundant ones of the edges that start at the positions `inside`.
fn sweep(inside: Range<usize>, last: Option<usize>, waits: &Adjacency, through: &mut [Mask], redundant: &mut [bool]) {
    let Some(last) = last else { return };
    for to in inside.start..=last {
        let mut mask = [0; CHUNK / 64];
        for &(from, _) in waits.of(to).iter().filter(|(from, _)| *from as usize >= inside.start) {
            mask.iter_mut().zip(through[from as usize]).for_each(|(own, other)| *own |= other);
        }
        let direct = waits.of(to).iter().map(|(from, index)| (*from as usize, *index as usize));
        let direct = direct.filter(|(from, _)| inside.contains(from));
        for (from, index) in direct.clone() {
            redundant[index] = has(&mask, from - inside.start);
        }
        for (from, _) in direct {
            mask[(from - inside.start) / 64] |= 1 << ((from - inside.start) % 64);
        }
        through[to] = mask;
    }
}

fn has(mask: &Mask, bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;
    use crate::testing::Builder;

    fn reduced(nodes: u32, edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut block = Builder::new("g");
        for _ in 0..nodes {
            block.kernel("k", &[]);
        }
        let edge = |&(from, to)| Edge { from: NodeId(from), to: NodeId(to), reason: Reason::Effects };
        let edges: Vec<_> = edges.iter().map(edge).collect();
        reduce(&block.finish(), RegionId::GRAPH, &edges).iter().map(|edge| (edge.from.0, edge.to.0)).collect()
    }

    #[test]
    fn an_edge_with_a_way_around_it_goes() {
        assert_eq!(reduced(3, &[(0, 1), (0, 2), (1, 2)]), [(0, 1), (1, 2)]);
        assert_eq!(reduced(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), [(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(reduced(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]), [(0, 1), (1, 2), (2, 3)]);
    }

    #[test]
    fn a_cycle_is_left_alone() {
        assert_eq!(reduced(3, &[(0, 1), (1, 0), (0, 2)]), [(0, 1), (1, 0), (0, 2)]);
    }

    #[test]
    fn chunks_do_not_matter() {
        let nodes = 3 * CHUNK as u32 + 7;
        let line: Vec<_> = (1..nodes).map(|to| (to - 1, to)).collect();
        let far = (2..nodes).map(|to| (0, to));
        let edges: Vec<_> = line.iter().copied().chain(far).collect();
        assert_eq!(reduced(nodes, &edges), line);
    }

    proptest! {
        /// Who is ready first does not depend on edges that follow from others.
        #[test]
        fn what_is_left_has_the_same_order(pairs in prop::collection::vec((0..12_u32, 0..12_u32), 0..40), turned in any::<bool>()) {
            let edge = |(one, two): (u32, u32)| Edge { from: NodeId(one.min(two)), to: NodeId(one.max(two)), reason: Reason::Effects };
            let edges: Vec<_> = pairs.into_iter().filter(|(one, two)| one != two).map(edge).collect();
            let mut nodes: Vec<_> = (0..12).map(NodeId).collect();
            if turned {
                nodes.reverse();
            }
            let order = topological(&nodes, &edges).unwrap();
            let left = reduce_in(&order, &edges);
            prop_assert_eq!(topological(&nodes, &left), Ok(order));
        }
    }
}
