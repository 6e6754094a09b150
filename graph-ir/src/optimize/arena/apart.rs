//! Which sets of nodes come one whole set behind another.

use std::collections::HashMap;

use crate::analysis::Edge;
use crate::analysis::order::{Adjacency, positions};
use crate::model::NodeId;

/// Nodes per sweep.
const CHUNK: usize = 512;

type Mask = [u64; CHUNK / 64];

/// Where one set is used first and last: other uses come between these.
struct Ends {
    starts: Vec<usize>,
    ends: Vec<usize>,
}

/// For each pair `(before, behind)` of sets that the edges order: every node of the first is over before any of the second begins.
///
/// `order` is topological. The ends of all sets are numbered through, and swept a chunk at a time: a node's mask holds those of the chunk
/// that it comes behind.
pub(super) fn each_pair_in_order(
    order: &[NodeId],
    edges: &[Edge],
    sets: &[Vec<NodeId>],
    mut found: impl FnMut(usize, usize),
) {
    let places: HashMap<NodeId, u32> = (0..).zip(order).map(|(at, node)| (*node, at)).collect();
    let edges = positions(order, edges);
    let behind = Adjacency::new(order.len(), &edges);
    let backwards: Vec<_> = edges.iter().map(|pair| pair.map(|(from, to)| (to, from))).collect();
    let waits = Adjacency::new(order.len(), &backwards);
    let sets: Vec<Ends> = sets.iter().map(|set| ends(&places, set, &behind, &waits)).collect();
    let mut bits = Vec::new();
    for (set, ends) in sets.iter().enumerate() {
        bits.extend(ends.ends.iter().map(|at| (*at, set)));
    }
    let mut in_order = vec![vec![0_u64; sets.len().div_ceil(64)]; sets.len()];
    for (set, row) in in_order.iter_mut().enumerate() {
        // Without a use there is nothing to wait for.
        let other = |other: usize| other != set && !sets[other].starts.is_empty();
        (0..sets.len()).filter(|index| other(*index)).for_each(|index| row[index / 64] |= 1 << (index % 64));
    }
    let mut masks = vec![[0; CHUNK / 64]; order.len()];
    for chunk in bits.chunks(CHUNK) {
        sweep(chunk, &waits, &mut masks);
        for (bit, (_, set)) in chunk.iter().enumerate() {
            let row = &mut in_order[*set];
            let open = |other: &usize| row[other / 64] >> (other % 64) & 1 == 1;
            let open: Vec<usize> = (0..sets.len()).filter(open).collect();
            for other in open {
                let late = sets[other].starts.iter().all(|start| masks[*start][bit / 64] >> (bit % 64) & 1 == 1);
                row[other / 64] &= !(u64::from(!late) << (other % 64));
            }
        }
    }
    for (set, row) in in_order.iter().enumerate() {
        let ordered = (0..sets.len()).filter(|other| row[other / 64] >> (other % 64) & 1 == 1);
        ordered.for_each(|other| found(set, other));
    }
}

/// The positions of a set's nodes that no edge leads to, or from, within the set.
fn ends(places: &HashMap<NodeId, u32>, set: &[NodeId], behind: &Adjacency, waits: &Adjacency) -> Ends {
    let mut own: Vec<u32> = set.iter().filter_map(|node| places.get(node).copied()).collect();
    own.sort_unstable();
    let free =
        |edges: &Adjacency, at: u32| !edges.of(at as usize).iter().any(|(other, _)| own.binary_search(other).is_ok());
    let these = |edges: &Adjacency| own.iter().filter(|at| free(edges, **at)).map(|at| *at as usize).collect();
    Ends { starts: these(waits), ends: these(behind) }
}

/// For each node, which of the chunk's it comes behind.
fn sweep(chunk: &[(usize, usize)], waits: &Adjacency, masks: &mut [Mask]) {
    let mut own: HashMap<usize, Mask> = HashMap::new();
    for (bit, (at, _)) in chunk.iter().enumerate() {
        own.entry(*at).or_insert([0; CHUNK / 64])[bit / 64] |= 1 << (bit % 64);
    }
    for to in 0..masks.len() {
        let mut mask = [0; CHUNK / 64];
        for &(from, _) in waits.of(to) {
            let from = from as usize;
            mask.iter_mut().zip(masks[from]).for_each(|(word, other)| *word |= other);
            if let Some(ends) = own.get(&from) {
                mask.iter_mut().zip(ends).for_each(|(word, other)| *word |= other);
            }
        }
        masks[to] = mask;
    }
}
