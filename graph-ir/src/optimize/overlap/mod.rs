//! Overlap: which launches begin before those that they wait for are over, by programmatic edges of a CUDA graph.
//!
//! A kernel behind such an edge is begun as soon as all blocks of the one in front are over or have said so, and waits by an instruction of its
//! own until that one is over and what it wrote can be seen. The edge by itself orders nothing: the instruction does. It is sound if each thread waits
//! before it touches memory, and some thread in any case. Then the kernel is not over before all that it waits for is over, and whoever waits
//! for the kernel, by whichever kind of edge, comes behind those too: an edge that follows from others still does.
//!
//! Kernels that are generated wait so, and those that are declared to. Full stay the edges
//! - of what may be switched off: it would not wait, and what is behind it would not come behind what is in front of it,
//! - from and to what meets the outside while it runs: whoever waits on the device takes room there, which others may need to go on,
//! - of launches with a priority, with clusters or with all blocks at once: the block says how they begin,
//! - of everything that is no kernel: copies, callbacks, events, conditionals. The test in front of a conditional is a kernel,
//! - to kernels that read early what a node writes that may still run then (`early.rs`).
//!
//! A launch begins early if it has only one such edge, or if each that it waits for has no one else behind it, and if few are side by side
//! there. Between others such edges gain nothing and make the graph slower to instantiate: measured on an H200 with pairs, each waiting for both
//! in front, and with a stencil. Large kernels are left alone: their blocks need the room.
//!
//! Where a launch asks for it, its edges from all kernels are programmatic.

use std::collections::{BTreeSet, HashMap};

use super::early::kept_full;
use super::launches::Waits;
use super::{Fusion, Gate};
use crate::analysis::Edge;
use crate::model::{BufferId, LaunchAttributes, Memory, NodeId, NodeKind, Program};

/// More launches that wait for one, or for which one waits, begin when all is over. Measured on an H200: twelve empty kernels behind a kernel
/// were slower to begin by programmatic edges than by full ones, eight were faster.
const MOST_BESIDE: usize = 8;

/// What is known of a region beside its program.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// A topological order.
    pub order: &'a [NodeId],
    /// Sorted by the node that waits.
    pub edges: &'a [Edge],
    /// What shares a launch.
    pub fusion: &'a Fusion,
    /// What takes the place of edges.
    pub gates: &'a [Gate],
    /// Whether a kernel of the user's waits before it touches memory, and in any case before it is over.
    pub waits: &'a dyn Fn(NodeId) -> bool,
    /// Whether each block of it does so before it lets anybody begin, or is over.
    pub waits_first: &'a dyn Fn(NodeId) -> bool,
    /// What a kernel reads before it waits.
    pub early: &'a dyn Fn(NodeId) -> Vec<BufferId>,
    /// Whether a generated kernel is too large to gain.
    pub large: &'a dyn Fn(NodeId) -> bool,
    /// Whether only what is asked for overlaps.
    pub only_asked: bool,
}

/// How the launches of a region begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// By node. Those that are not here have full edges only.
    roles: Vec<(NodeId, Role)>,
    /// Gates that begin early, by number.
    gates: BTreeSet<usize>,
    /// Whether a generated kernel behind everything else may begin early.
    last: bool,
}

/// What a node is to programmatic edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a node, not one state")]
struct Role {
    /// It is a kernel, and launched whenever its region runs.
    is_launch: bool,
    /// Whoever waits for it may begin before it is over.
    lets: bool,
    /// It begins before those are over that it waits for, all of which let it.
    begins: bool,
    /// It is asked to begin before any kernel is over.
    asked: bool,
}

impl Role {
    fn may_begin(self) -> bool {
        self.begins || self.asked
    }

    fn and(self, other: Self) -> Self {
        Self {
            is_launch: self.is_launch && other.is_launch,
            lets: self.lets && other.lets,
            begins: self.begins && other.begins,
            asked: self.asked && other.asked,
        }
    }
}

impl Overlap {
    fn role(&self, node: NodeId) -> Role {
        self.at(node).map(|at| self.roles[at].1).unwrap_or_default()
    }

    fn at(&self, node: NodeId) -> Option<usize> {
        self.roles.binary_search_by_key(&node, |(node, _)| *node).ok()
    }

    /// Whether a node's edges from kernels that are generated are programmatic.
    pub fn begins(&self, node: NodeId) -> bool {
        self.role(node).may_begin()
    }

    /// Whether the edge between two nodes is programmatic.
    pub fn overlaps(&self, from: NodeId, to: NodeId) -> bool {
        let (from, to) = (self.role(from), self.role(to));
        from.is_launch && (to.asked || from.lets && to.begins)
    }

    /// Whether the edges to a gate are programmatic.
    pub fn gate(&self, number: usize) -> bool {
        self.gates.contains(&number)
    }

    /// Whether those to a generated kernel behind everything else are.
    pub fn last(&self) -> bool {
        self.last
    }
}

/// Finds out how each node of a region begins.
pub fn overlap(program: &Program, given: Given<'_>) -> Overlap {
    if !given.order.iter().any(|node| role(program, *node, &given).may_begin()) {
        return Overlap::default();
    }
    let tail: BTreeSet<NodeId> = given.fusion.tail.iter().copied().collect();
    let own = given.order.iter().filter(|node| !tail.contains(node));
    let own = own.map(|node| (*node, role(program, *node, &given)));
    let mut roles: Vec<(NodeId, Role)> = own.filter(|(_, role)| *role != Role::default()).collect();
    roles.sort_unstable_by_key(|(node, _)| *node);
    let mut overlap = Overlap { roles, ..Overlap::default() };
    overlap.join(given.fusion);
    for node in kept_full(program, &given, &|from, to| overlap.overlaps(from, to)) {
        let role = overlap.role(node);
        overlap.set(&[node], Role { begins: false, asked: false, ..role });
    }
    overlap.join(given.fusion);
    if !given.only_asked {
        overlap.keep_what_gains(&given, &tail);
    }
    overlap
}

impl Overlap {
    /// A launch is what all its members are.
    fn join(&mut self, fusion: &Fusion) {
        for group in &fusion.groups {
            let all = group.iter().map(|node| self.role(*node)).reduce(Role::and).unwrap_or_default();
            self.set(group, all);
        }
    }

    fn set(&mut self, nodes: &[NodeId], role: Role) {
        for node in nodes {
            if let Some(at) = self.at(*node) {
                self.roles[at].1 = role;
            }
        }
    }

    /// Leaves those to begin early that gain by it.
    fn keep_what_gains(&mut self, given: &Given<'_>, tail: &BTreeSet<NodeId>) {
        let graph = Graph::of(given);
        let lets = |at: u32| match given.order.get(at as usize) {
            Some(node) => self.role(*node).lets,
            None => true,
        };
        let gains = |at: usize| {
            let waits = &graph.waits[at];
            let alone = || waits.iter().all(|from| graph.behind[*from as usize] == 1);
            let few = || waits.iter().all(|from| graph.behind[*from as usize] <= MOST_BESIDE);
            waits.len() <= MOST_BESIDE && waits.iter().all(|from| lets(*from)) && few() && (waits.len() == 1 || alone())
        };
        let waits = |number: &usize| !given.gates[*number].is_start();
        let gates = (0..given.gates.len()).filter(waits).filter(|number| gains(given.order.len() + number)).collect();
        let kept: Vec<bool> = (0..given.order.len()).map(gains).collect();
        // What nobody waits for is what the test at the end of a loop waits for.
        let is_end = |at: &usize| graph.behind[*at] == 0 && !tail.contains(&given.order[*at]);
        let ends = (0..given.order.len()).filter(is_end).map(|at| given.order[at]);
        let ends: Vec<NodeId> = ends.filter(|node| !graph.in_others.contains(node)).collect();
        self.last = (1..=MOST_BESIDE).contains(&ends.len()) && ends.iter().all(|node| self.role(*node).lets);
        self.gates = gates;
        for (node, kept) in given.order.iter().zip(kept).filter(|(node, _)| !graph.in_others.contains(node)) {
            let role = self.role(*node);
            self.set(&[*node], Role { begins: role.begins && kept, ..role });
        }
        for group in &given.fusion.groups {
            self.set(group, self.role(group[0]));
        }
    }
}

/// Launches by position in the order, and gates behind them.
struct Graph {
    /// For which of them each waits.
    waits: Vec<Vec<u32>>,
    /// How many wait for each.
    behind: Vec<usize>,
    /// Nodes that are in the launches of others.
    in_others: BTreeSet<NodeId>,
}

impl Graph {
    fn of(given: &Given<'_>) -> Self {
        let mut waits = Waits::of(given.order, given.edges, given.fusion);
        let position: HashMap<NodeId, u32> = given.order.iter().copied().zip(0..).collect();
        let sides = |nodes: &[NodeId]| nodes.iter().map(|node| position[node]).collect::<Vec<_>>();
        for (gate, number) in given.gates.iter().zip(given.order.len() as u32..) {
            let [before, behind] = [&gate.before, &gate.behind].map(|side| sides(side));
            waits.leave_out(&before, &behind);
            behind.iter().for_each(|to| waits.0[*to as usize].push(number));
            waits.0.push(before);
        }
        let waits = waits.0;
        let mut behind = vec![0; waits.len()];
        waits.iter().flatten().for_each(|from| behind[*from as usize] += 1);
        let in_others = given.fusion.groups.iter().flat_map(|group| group[1..].iter().copied()).collect();
        Self { waits, behind, in_others }
    }
}

fn role(program: &Program, node: NodeId, given: &Given<'_>) -> Role {
    let here = program.node(node);
    if here.optional {
        return Role::default();
    }
    let (is_launch, waits) = match &here.kind {
        NodeKind::Kernel(_) => (true, (given.waits)(node)),
        NodeKind::Scalar { .. } | NodeKind::Compute(_) | NodeKind::Assert { .. } | NodeKind::Fill { .. } => {
            (true, true)
        }
        // Their tests begin early; who comes behind them waits for the conditional.
        NodeKind::If { .. } | NodeKind::Match { .. } | NodeKind::Loop(_) => (false, !here.kind.bodies().is_empty()),
        _ => return Role::default(),
    };
    let asked = here.attributes.as_deref().copied().unwrap_or_default();
    let plain = LaunchAttributes { overlap: None, ..asked }.is_empty() && !meets_the_outside(program, node);
    let by_itself = waits && plain && !given.only_asked && !(given.large)(node);
    Role { is_launch, lets: is_launch && by_itself, begins: by_itself, asked: asked.overlap.is_some() }
}

/// Whether what a node launches itself may wait, while it runs, for what is not of this graph, or be waited for there.
fn meets_the_outside(program: &Program, node: NodeId) -> bool {
    let here = program.node(node);
    here.effects || here.accesses.iter().any(|access| program.buffer(access.buffer).memory == Memory::Mailbox)
}

#[cfg(test)]
mod tests;
