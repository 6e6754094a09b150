//! The start: where many launches wait for nothing, a kernel that does nothing stands in front of them.
//!
//! A driver begins each node of a graph that waits for nothing by itself, which takes the host about a microsecond. What waits for a kernel,
//! the device begins, in a third of that. So such launches get a gate that waits for nothing itself: nothing is ordered by it, whatever they take.
//! Those of a body are begun by the device anyway, and there a gate is a launch more.
//!
//! Copies, calls and what waits for the outside stay as they are.

use super::Fusion;
use super::gates::Gate;
use crate::analysis::Edge;
use crate::model::{NodeId, NodeKind, Program};

/// So many launches are worth a gate. Measured on an H200 with kernels of up to 60 µs: the last of sixteen begins 5 to 7 µs earlier
/// with it, that of eight 2 µs, while the first begins about 2 µs later.
const LEAST: usize = 12;

/// The gate in front of the launches of a graph's own region that wait for nothing, if they are many. Edges are sorted by the node that waits.
///
/// Costs nodes and edges. The same region comes out the same each time.
pub fn start(program: &Program, order: &[NodeId], edges: &[Edge], fusion: &Fusion) -> Option<Gate> {
    let waiting = edges.chunk_by(|one, other| one.to == other.to).count();
    if order.len() - waiting < LEAST {
        return None;
    }
    // Whose launch a node is in. What the test of a loop does has none.
    let launches = fusion.firsts();
    let launch_of = |node: NodeId| launches.get(&node).copied().unwrap_or(node);
    let mut waits = vec![false; program.nodes.len()];
    for edge in edges {
        let [from, to] = [edge.from, edge.to].map(launch_of);
        waits[to.0 as usize] |= from != to;
    }
    let first = |node: &NodeId| launch_of(*node) == *node && !waits[node.0 as usize] && is_launch(program, *node);
    let behind: Vec<NodeId> = order.iter().copied().filter(first).filter(|node| !fusion.tail.contains(node)).collect();
    (behind.len() >= LEAST).then_some(Gate { before: Vec::new(), behind })
}

/// Whether the first that a node does is a kernel.
fn is_launch(program: &Program, node: NodeId) -> bool {
    let kind = &program.node(node).kind;
    match kind {
        NodeKind::Kernel(_)
        | NodeKind::Compute(_)
        | NodeKind::Fill { .. }
        | NodeKind::Scalar { .. }
        | NodeKind::Assert { .. } => true,
        NodeKind::If { .. } | NodeKind::Match { .. } | NodeKind::Loop(_) => !kind.bodies().is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::analysis::Reason;
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read};

    /// As many nodes, of which those with these numbers are copies, the others kernels.
    fn program(count: u32, copies: &BTreeSet<u32>) -> Program {
        let mut block = Builder::new("g");
        let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(8)));
        for number in 0..count {
            if copies.contains(&number) {
                block.copy("c", read(x), overwrite(y));
            } else {
                block.kernel("k", &[overwrite(y)]);
            }
        }
        block.finish()
    }

    fn edges(pairs: &BTreeSet<(u32, u32)>) -> Vec<Edge> {
        let edge = |(from, to): &(u32, u32)| Edge { from: NodeId(*from), to: NodeId(*to), reason: Reason::Effects };
        let mut edges: Vec<Edge> = pairs.iter().map(edge).collect();
        edges.sort_by_key(|edge| (edge.to, edge.from));
        edges
    }

    fn found(count: u32, pairs: &BTreeSet<(u32, u32)>, copies: &BTreeSet<u32>, fusion: &Fusion) -> Option<Vec<u32>> {
        let order: Vec<NodeId> = (0..count).map(NodeId).collect();
        let gate = start(&program(count, copies), &order, &edges(pairs), fusion)?;
        assert_eq!((gate.before.len(), gate.spares()), (0, 0));
        Some(gate.behind.iter().map(|node| node.0).collect())
    }

    #[test]
    fn twelve_that_wait_for_nothing_get_a_gate() {
        let (none, all) = (BTreeSet::new(), Fusion::default());
        assert_eq!(found(11, &none, &BTreeSet::new(), &all), None);
        assert_eq!(found(12, &none, &BTreeSet::new(), &all), Some((0..12).collect()));
        let line = (0..20).map(|at| (at, at + 1)).collect();
        assert_eq!(found(21, &line, &BTreeSet::new(), &all), None);
    }

    #[test]
    fn launches_are_counted_not_nodes() {
        // 0 and 1 share a launch, 2 and 3 too, which waits by 3; the test of the loop does 15.
        let fusion = Fusion {
            groups: vec![vec![NodeId(0), NodeId(1)], vec![NodeId(2), NodeId(3)]],
            tail: vec![NodeId(15)],
            ..Fusion::default()
        };
        let pairs = BTreeSet::from([(0, 1), (0, 3)]);
        let wanted: Vec<u32> = std::iter::once(0).chain(4..15).collect();
        assert_eq!(found(16, &pairs, &BTreeSet::new(), &fusion), Some(wanted));
        assert_eq!(found(15, &pairs, &BTreeSet::from([7]), &fusion), None, "a copy is no launch");
    }

    proptest! {
        #[test]
        fn it_stands_in_front_of_each_launch_that_waits_for_nothing(
            count in 1..40_u32,
            pairs in proptest::collection::btree_set((0..40_u32, 0..40_u32), 0..30),
            copies in proptest::collection::btree_set(0..40_u32, 0..10),
        ) {
            let pairs: BTreeSet<_> = pairs.into_iter().filter(|(from, to)| from < to && *to < count).collect();
            let wanted: Vec<u32> =
                (0..count).filter(|node| !copies.contains(node) && !pairs.iter().any(|(_, to)| to == node)).collect();
            let wanted = (wanted.len() >= 12).then_some(wanted);
            prop_assert_eq!(found(count, &pairs, &copies, &Fusion::default()), wanted);
        }
    }
}
