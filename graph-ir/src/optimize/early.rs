//! What kernels read before they wait, and who must not begin early because of it.
//!
//! A kernel that overlaps is begun when those in front of it have begun, however far the chain of such edges goes back. What it reads early
//! must not be what one of them writes, so where any node in front of it in its region does, its edges stay full: then everything in
//! front of it is over when it begins. What lies in front of the region is over when the region begins.

use std::collections::BTreeSet;

use super::Fusion;
use crate::analysis::effects::accesses;
use crate::model::{BufferId, NodeId, Program};

/// The nodes of a region whose edges stay full, from its topological order. `early`: the buffers that a node reads before it waits.
pub fn kept_full(
    program: &Program,
    order: &[NodeId],
    fusion: &Fusion,
    early: &dyn Fn(NodeId) -> Vec<BufferId>,
) -> BTreeSet<NodeId> {
    let early: Vec<(NodeId, Vec<BufferId>)> = order.iter().map(|node| (*node, early(*node))).collect();
    if early.iter().all(|(_, buffers)| buffers.is_empty()) {
        return BTreeSet::new();
    }
    let mut written = BTreeSet::new();
    let mut kept = BTreeSet::new();
    for (node, buffers) in early {
        if buffers.iter().any(|buffer| written.contains(buffer)) {
            kept.insert(node);
        }
        // All that share a launch run where the first of them stands.
        let launch = fusion.groups.iter().find(|group| group[0] == node);
        for member in launch.map_or(std::slice::from_ref(&node), Vec::as_slice) {
            let accesses = accesses(program, *member);
            written.extend(accesses.iter().filter(|access| access.mode.writes()).map(|access| access.buffer));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mode;
    use crate::testing::{Builder, number, overwrite, read, update};

    /// `x`, then one node for each of these: the buffers that it reads early, and whether it writes `w`.
    fn kept(nodes: &[(&[u32], bool)], fusion: &Fusion) -> Vec<u32> {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let w = block.parameter("w", Mode::Update, number(8));
        for (_, writes) in nodes {
            let accesses = if *writes { vec![read(x), overwrite(w)] } else { vec![update(x), read(w)] };
            block.kernel("k", &accesses);
        }
        let program = block.finish();
        let order: Vec<_> = (0..nodes.len() as u32).map(NodeId).collect();
        let early = |node: NodeId| nodes[node.0 as usize].0.iter().copied().map(BufferId).collect();
        kept_full(&program, &order, fusion, &early).into_iter().map(|node| node.0).collect()
    }

    #[test]
    fn only_what_somebody_in_front_writes_is_waited_for() {
        let none = Fusion::default();
        assert_eq!(kept(&[(&[], true), (&[], false)], &none), [0; 0], "nobody reads early");
        assert_eq!(kept(&[(&[1], false), (&[], true), (&[1], false)], &none), [2], "the write is in front of the last");
        assert_eq!(kept(&[(&[1], true), (&[1], true)], &none), [1], "a node's own write is behind its wait");
        assert_eq!(kept(&[(&[], false), (&[1], false), (&[0, 1], false)], &none), [2], "`x` was written, `w` was not");
    }

    #[test]
    fn a_launch_writes_what_its_members_write() {
        let shared = Fusion { groups: vec![vec![NodeId(0), NodeId(2)]], ..Fusion::default() };
        let nodes: [(&[u32], bool); 3] = [(&[], false), (&[1], false), (&[], true)];
        assert_eq!(kept(&nodes, &Fusion::default()), [0; 0]);
        assert_eq!(kept(&nodes, &shared), [1]);
    }
}
