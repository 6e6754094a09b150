//! What kernels read before they wait, and who must not begin early because of it.
//!
//! A kernel that overlaps is begun when those in front of it have let it, and they may have been begun so themselves. What it reads early must
//! not be what one of them still writes. Who may still run is followed along the edges:
//! - nobody behind a full edge: what it comes from is over, and so is all that this one waited for,
//! - behind a programmatic edge the launch that it comes from; and those that may still have run when that one began, unless it waits before it
//!   lets anybody begin ([`Given::waits_first`]): then all of them are over.
//!
//! Where somebody who may still run writes what a kernel reads early, its edges stay full. What lies in front of the region is over when the
//! region begins.

use std::collections::{BTreeSet, HashMap};

use super::overlap::Given;
use crate::analysis::effects::accesses;
use crate::model::{BufferId, NodeId, Program};

/// The nodes of a region whose edges stay full. `overlaps`: whether the edge between two nodes would be programmatic otherwise.
pub(super) fn kept_full(
    program: &Program,
    given: &Given<'_>,
    overlaps: &dyn Fn(NodeId, NodeId) -> bool,
) -> BTreeSet<NodeId> {
    let early: Vec<Vec<BufferId>> = given.order.iter().map(|node| (given.early)(*node)).collect();
    if early.iter().all(Vec::is_empty) {
        return BTreeSet::new();
    }
    let looked_at: BTreeSet<BufferId> = early.iter().flatten().copied().collect();
    let waits = waits(given);
    let shared: HashMap<NodeId, &[NodeId]> =
        given.fusion.groups.iter().flat_map(|group| group.iter().map(|node| (*node, group.as_slice()))).collect();
    let mut kept = BTreeSet::new();
    // Of each launch: those that write what somebody reads early, and may still run when it begins.
    let mut running: HashMap<NodeId, BTreeSet<NodeId>> = HashMap::new();
    let mut writes: HashMap<NodeId, BTreeSet<BufferId>> = HashMap::new();
    for node in given.order {
        let members = shared.get(node).copied().unwrap_or(std::slice::from_ref(node));
        if members[0] != *node {
            continue;
        }
        let mut open = BTreeSet::new();
        for from in waits.get(node).into_iter().flatten().filter(|from| overlaps(**from, *node)) {
            open.extend(writes.contains_key(from).then_some(*from));
            if !(given.waits_first)(*from) {
                open.extend(running.get(from).into_iter().flatten());
            }
        }
        let reads: Vec<BufferId> = members.iter().flat_map(|member| (given.early)(*member)).collect();
        if open.iter().any(|writer| reads.iter().any(|buffer| writes[writer].contains(buffer))) {
            kept.insert(*node);
            open.clear();
        }
        running.insert(*node, open);
        let written: BTreeSet<BufferId> =
            members.iter().flat_map(|member| written(program, *member)).filter(|at| looked_at.contains(at)).collect();
        if !written.is_empty() {
            writes.insert(*node, written);
        }
    }
    kept
}

/// For which launches each launch waits; the first node of one stands for it. All of them stand in front of it in the order.
fn waits(given: &Given<'_>) -> HashMap<NodeId, Vec<NodeId>> {
    let within = given.fusion.firsts();
    let launch = |node: NodeId| within.get(&node).copied().unwrap_or(node);
    let mut waits: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (from, to) in
        given.edges.iter().map(|edge| (launch(edge.from), launch(edge.to))).filter(|(from, to)| from != to)
    {
        waits.entry(to).or_default().push(from);
    }
    waits
}

fn written(program: &Program, node: NodeId) -> Vec<BufferId> {
    accesses(program, node).iter().filter(|access| access.mode.writes()).map(|access| access.buffer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dependences;
    use crate::model::{Mode, RegionId};
    use crate::optimize::Fusion;
    use crate::optimize::reduce;
    use crate::testing::{Builder, number, overwrite, read, update};

    /// A row of nodes, each waiting for the one in front: the buffers that it reads early, and whether it writes `w` or `x`.
    struct Row<'a> {
        nodes: &'a [(&'a [u32], bool)],
        /// Those that wait before they let anybody begin.
        first: &'a [u32],
        /// Those that nobody overlaps with.
        full: &'a [u32],
        fusion: Fusion,
    }

    impl Row<'_> {
        fn kept(&self) -> Vec<u32> {
            let mut block = Builder::new("g");
            let x = block.parameter("x", Mode::Update, number(8));
            let w = block.parameter("w", Mode::Update, number(8));
            let row = block.parameter("row", Mode::Update, number(8));
            for (_, writes) in self.nodes {
                let own = if *writes { [read(x), overwrite(w)] } else { [update(x), read(w)] };
                block.kernel("k", &[own[0], own[1], update(row)]);
            }
            let program = block.finish();
            let order: Vec<_> = (0..self.nodes.len() as u32).map(NodeId).collect();
            let given = Given {
                order: &order,
                edges: &reduce(&program, RegionId::GRAPH, &dependences(&program, RegionId::GRAPH)),
                fusion: &self.fusion,
                gates: &[],
                waits: &|_| true,
                waits_first: &|node| self.first.contains(&node.0),
                early: &|node| self.nodes[node.0 as usize].0.iter().copied().map(BufferId).collect(),
                large: &|_| false,
                only_asked: false,
            };
            let overlaps = |from: NodeId, _| !self.full.contains(&from.0);
            kept_full(&program, &given, &overlaps).into_iter().map(|node| node.0).collect()
        }
    }

    fn kept(nodes: &[(&[u32], bool)], first: &[u32], full: &[u32]) -> Vec<u32> {
        Row { nodes, first, full, fusion: Fusion::default() }.kept()
    }

    #[test]
    fn only_what_somebody_in_front_writes_is_waited_for() {
        assert_eq!(kept(&[(&[], true), (&[], false)], &[], &[]), [0; 0], "nobody reads early");
        assert_eq!(
            kept(&[(&[1], false), (&[], true), (&[1], false)], &[], &[]),
            [2],
            "the write is in front of the last"
        );
        assert_eq!(kept(&[(&[1], true), (&[1], true)], &[], &[]), [1], "a node's own write is behind its wait");
        assert_eq!(
            kept(&[(&[], false), (&[1], false), (&[0, 1], false)], &[], &[]),
            [2],
            "`x` was written, `w` was not"
        );
    }

    #[test]
    fn who_is_over_may_have_written() {
        let nodes: [(&[u32], bool); 4] = [(&[], true), (&[], false), (&[], false), (&[1], false)];
        assert_eq!(kept(&nodes, &[], &[]), [3], "the first may still run");
        assert_eq!(kept(&nodes, &[2], &[]), [0; 0], "the third has waited when the last begins");
        assert_eq!(kept(&nodes, &[1], &[]), [0; 0], "and so has the second");
        assert_eq!(kept(&nodes, &[0], &[]), [3], "the first has waited for nothing");
        assert_eq!(kept(&nodes, &[], &[1]), [0; 0], "the third begins when the second is over");
        let next: [(&[u32], bool); 2] = [(&[], true), (&[1], false)];
        assert_eq!(kept(&next, &[0, 1], &[]), [1], "it lets the next one begin before it writes");
        let behind: [(&[u32], bool); 3] = [(&[], true), (&[1], false), (&[1], false)];
        assert_eq!(kept(&behind, &[], &[]), [1], "the second begins when the first is over, and the third then");
    }

    #[test]
    fn a_launch_writes_what_its_members_write() {
        let nodes: [(&[u32], bool); 3] = [(&[], false), (&[1], false), (&[], true)];
        let shared = Fusion { groups: vec![vec![NodeId(0), NodeId(2)]], ..Fusion::default() };
        assert_eq!(kept(&nodes, &[], &[]), [0; 0]);
        assert_eq!(Row { nodes: &nodes, first: &[], full: &[], fusion: shared }.kept(), [1]);
    }
}
