//! Fusion: which assignments to single elements, and which kernels in the block, one launch can do.
//!
//! A launch costs as much as its smallest kernel. Nodes are put together if that makes none of them wait for anything that another of
//! them does not wait for anyway, so the launch starts when the first of them would have. Assignments at the end of a loop's body,
//! which nothing else of the pass waits for, are put into the test behind it.
//!
//! What shares a launch needs its memory at once. A statement that would make the region need more than it does without fusion, and
//! more than is [free](Memory::free), keeps a launch of its own.

mod deferral;
pub(super) mod kernels;
mod need;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rustc_hash::FxHashMap;

pub use self::deferral::Deferral;
pub use self::need::Memory;
use self::need::Need;
use crate::analysis::Edge;
use crate::model::{BufferId, NodeId, NodeKind, Program, RegionId, RegionKind};
use crate::optimize::registers::Users;

/// Accesses and host values of one launch: each is a parameter of 8 bytes, and a launch has 4 KiB of them.
const LARGEST: usize = 256;

/// What is put together in one region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fusion {
    /// At least two nodes each, in the order given; the launch takes the first one's place.
    pub groups: Vec<Vec<NodeId>>,
    /// In a loop's body: what its test runs first, in the order given.
    pub tail: Vec<NodeId>,
    /// Reductions whose value another launch combines.
    pub deferrals: Vec<Deferral>,
    /// Transients that a launch keeps in registers, by buffer: the launch is known by its first node.
    pub registers: Vec<(BufferId, NodeId)>,
    /// What could share a launch, and does not because of the memory that it would take.
    pub left: Vec<Left>,
}

/// A statement that keeps a launch of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The statement.
    pub node: NodeId,
    /// The first node of the launch that it could share.
    pub launch: NodeId,
    /// How many bytes more would be needed at once than without fusion; none if it is left out for the sake of a budget.
    pub bytes: Option<u64>,
}

impl Fusion {
    /// By node that shares a launch: the first node of that, which stands for it.
    pub(super) fn firsts(&self) -> FxHashMap<NodeId, NodeId> {
        self.groups.iter().flat_map(|group| group.iter().map(|node| (*node, group[0]))).collect()
    }

    /// The nodes of each launch of kernels in the block, in its order.
    fn launches<'a>(&'a self, program: &'a Program, order: &'a [NodeId]) -> impl Iterator<Item = &'a [NodeId]> {
        let shared: BTreeSet<NodeId> = self.groups.iter().flatten().copied().collect();
        let alone = order.iter().filter(move |node| !shared.contains(node)).map(std::slice::from_ref);
        let launches = self.groups.iter().map(Vec::as_slice).chain(alone);
        launches.filter(|launch| kernels::kernel(program, launch[0]).is_some())
    }

    /// Notes what the launches of a region, of which `order` is a topological order, keep in registers.
    #[must_use]
    pub fn in_registers(mut self, program: &Program, order: &[NodeId], users: &Users) -> Self {
        if users.is_empty() {
            return self;
        }
        let kept = |launch: &[NodeId]| {
            let first = launch[0];
            users.kept_by(program, launch).into_iter().map(move |buffer| (buffer, first))
        };
        let mut registers: Vec<_> = self.launches(program, order).flat_map(kept).collect();
        registers.sort_unstable();
        self.registers = registers;
        self
    }

    /// The same region with a launch for each statement, for the sake of a budget.
    #[must_use]
    pub fn forgone(&self, program: &Program, order: &[NodeId], users: &Users) -> Self {
        let behind = self.groups.iter().flat_map(|group| group[1..].iter().map(|node| (*node, group[0])));
        let left = behind.map(|(node, launch)| Left { node, launch, bytes: None }).collect();
        Self { left, ..Self::default() }.in_registers(program, order, users)
    }
}

/// What to put together, from a topological order and its edges after [`reduce`](super::reduce). `domains` are the axes of kernels in
/// the block: only equal ones go together. `memory`: what that may cost, if it may cost only so much.
pub fn fuse<D: PartialEq>(
    program: &Program,
    region: RegionId,
    order: &[NodeId],
    edges: &[Edge],
    domains: &dyn Fn(NodeId) -> Option<D>,
    memory: Option<Memory<'_>>,
) -> Fusion {
    // What may be switched off needs a launch of its own.
    let fusible = |node: &NodeId| {
        let node = program.node(*node);
        !node.optional && matches!(node.kind, NodeKind::Scalar { .. } | NodeKind::Compute(_))
    };
    if !order.iter().any(fusible) {
        return Fusion::default();
    }
    let tail = tail(program, region, order, edges, &fusible);
    let moved: BTreeSet<NodeId> = tail.iter().copied().collect();
    let mut waits: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for edge in edges {
        waits.entry(edge.to).or_default().push(edge.from);
    }
    let need = memory.and_then(|memory| Need::new(program, region, order, memory));
    let (made, of, by_waits, left) = (Vec::new(), HashMap::new(), BTreeMap::new(), Vec::new());
    let mut groups = Groups { program, domains, need, made, of, by_waits, left };
    for node in order.iter().filter(|node| fusible(node) && !moved.contains(node)) {
        groups.place(*node, waits.get(node).map_or(&[], Vec::as_slice));
    }
    let left = groups.left;
    let groups: Vec<_> =
        groups.made.into_iter().map(|group| group.members).filter(|members| members.len() > 1).collect();
    let deferrals = deferral::deferrals(program, region, order, edges, &groups, &tail);
    Fusion { groups, tail, deferrals, left, registers: Vec::new() }
}

/// Whether there is a test behind the passes that could make them: a kernel's decision is none.
fn tests_behind(program: &Program, region: RegionId) -> bool {
    let owner = program.region(region).owner.map(|owner| &program.node(owner).kind);
    !matches!(owner, Some(NodeKind::Loop(head)) if head.by_kernel)
}

/// The scalars of a loop's body that only scalars of the same kind wait for.
fn tail(
    program: &Program,
    region: RegionId,
    order: &[NodeId],
    edges: &[Edge],
    fusible: &dyn Fn(&NodeId) -> bool,
) -> Vec<NodeId> {
    if program.region(region).kind != RegionKind::Body || !tests_behind(program, region) {
        return Vec::new();
    }
    let mut held: BTreeSet<NodeId> = BTreeSet::new();
    let mut behind: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for edge in edges {
        behind.entry(edge.from).or_default().push(edge.to);
    }
    let mut room = LARGEST;
    let mut tail = Vec::new();
    for node in order.iter().rev() {
        let free = behind.get(node).into_iter().flatten().all(|later| !held.contains(later));
        let cost = parameters(program, *node);
        let scalar = fusible(node) && matches!(program.node(*node).kind, NodeKind::Scalar { .. });
        if free && scalar && cost <= room {
            room -= cost;
            tail.push(*node);
        } else {
            held.insert(*node);
        }
    }
    tail.reverse();
    tail
}

/// How many parameters a node's assignment has.
fn parameters(program: &Program, node: NodeId) -> usize {
    let node = program.node(node);
    let mut hosts = 0;
    if let NodeKind::Scalar { value } = &node.kind {
        value.walk(&mut |part| hosts += usize::from(matches!(part, crate::model::Expression::Host(_))));
    }
    node.accesses.len() + hosts
}

struct Group {
    members: Vec<NodeId>,
    /// What its launch waits for.
    waits: Vec<NodeId>,
    parameters: usize,
}

struct Groups<'p, D> {
    program: &'p Program,
    domains: &'p dyn Fn(NodeId) -> Option<D>,
    need: Option<Need<'p>>,
    made: Vec<Group>,
    of: HashMap<NodeId, usize>,
    /// The last group that waits for exactly these, by whether it makes assignments.
    by_waits: BTreeMap<(bool, Vec<NodeId>), usize>,
    left: Vec<Left>,
}

impl<D: PartialEq> Groups<'_, D> {
    /// Puts a node to the group of something that it waits for, or to one that waits for the same, or into one of its own.
    fn place(&mut self, node: NodeId, waits: &[NodeId]) {
        let mut sorted = waits.to_vec();
        sorted.sort_unstable();
        let key = (self.is_scalar(node), sorted.clone());
        let found = self.found(node, &sorted, self.by_waits.get(&key).copied());
        let index = found.unwrap_or_else(|| {
            self.made.push(Group { members: Vec::new(), waits: sorted, parameters: 0 });
            self.made.len() - 1
        });
        self.by_waits.entry(key).or_insert(index);
        let group = &mut self.made[index];
        group.members.push(node);
        group.parameters += parameters(self.program, node);
        self.of.insert(node, index);
    }

    /// The first group that can take a node, and may.
    fn found(&mut self, node: NodeId, waits: &[NodeId], beside: Option<usize>) -> Option<usize> {
        let behind = waits.iter().filter_map(|earlier| self.of.get(earlier).copied());
        let mut tried: Vec<usize> = behind.chain(beside).collect();
        tried.dedup();
        let mut left = None;
        for group in tried {
            if !self.admits(group, waits, node) {
                continue;
            }
            let members = &self.made[group].members;
            match self.need.as_mut().map_or(Ok(()), |need| need.join(members, node)) {
                Ok(()) => return Some(group),
                Err(bytes) => _ = left.get_or_insert(Left { node, launch: members[0], bytes: Some(bytes) }),
            }
        }
        self.left.extend(left);
        None
    }

    /// Whether a node that waits for these starts no later and no earlier than the group does, and one launch can do both.
    fn admits(&self, index: usize, waits: &[NodeId], node: NodeId) -> bool {
        let group = &self.made[index];
        let inside = |node: &NodeId| self.of.get(node) == Some(&index) || group.waits.contains(node);
        waits.iter().all(inside) && self.goes_with(group, node)
    }

    fn goes_with(&self, group: &Group, node: NodeId) -> bool {
        let Some(first) = group.members.first() else { return true };
        if self.is_scalar(node) || self.is_scalar(*first) {
            let room = group.parameters + parameters(self.program, node) <= LARGEST;
            return room && self.is_scalar(node) && self.is_scalar(*first);
        }
        let domain = (self.domains)(node);
        domain.is_some() && domain == (self.domains)(*first) && kernels::fits(self.program, &group.members, node)
    }

    fn is_scalar(&self, node: NodeId) -> bool {
        matches!(self.program.node(node).kind, NodeKind::Scalar { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{dependences, topological};
    use crate::model::Mode;
    use crate::optimize::reduce;
    use crate::testing::{Builder, Head, number, overwrite, read, update};

    pub(super) fn fused(program: &Program, region: RegionId) -> Fusion {
        let edges = reduce(program, region, &dependences(program, region));
        let order = topological(&program.region(region).nodes, &edges).unwrap();
        fuse(program, region, &order, &edges, &|_| Some(()), None)
    }

    #[test]
    fn a_chain_and_what_waits_for_the_same_are_one() {
        let mut block = Builder::new("g");
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| block.parameter(name, Mode::Update, number(1)));
        let first = block.scalar("a", &[overwrite(a)]);
        let second = block.scalar("b", &[overwrite(b), read(a)]);
        let beside = block.scalar("c", &[overwrite(c)]);
        block.kernel("k", &[read(a), update(d)]);
        let program = block.finish();
        assert_eq!(fused(&program, RegionId::GRAPH).groups, [vec![first, second, beside]]);
    }

    #[test]
    fn none_waits_for_more_than_before() {
        let mut block = Builder::new("g");
        let [a, b, c] = ["a", "b", "c"].map(|name| block.parameter(name, Mode::Update, number(1)));
        block.scalar("a", &[overwrite(a)]);
        block.kernel("slow", &[update(b)]);
        block.scalar("c", &[overwrite(c), read(a), read(b)]);
        assert_eq!(fused(&block.finish(), RegionId::GRAPH), Fusion::default());
    }

    #[test]
    fn what_comes_back_to_a_group_through_a_kernel_stays_apart() {
        let mut block = Builder::new("g");
        let [a, b] = ["a", "b"].map(|name| block.parameter(name, Mode::Update, number(1)));
        block.scalar("a", &[overwrite(a)]);
        block.kernel("k", &[read(a), update(b)]);
        block.scalar("a again", &[update(a), read(b)]);
        assert_eq!(fused(&block.finish(), RegionId::GRAPH), Fusion::default());
    }

    #[test]
    fn the_last_assignments_of_a_body_go_into_its_test() {
        let mut block = Builder::new("g");
        let [a, b] = ["a", "b"].map(|name| block.parameter(name, Mode::Update, number(1)));
        let mut ids = Vec::new();
        block.repeat(Head::on(&[read(b)]), |block| {
            ids.push(block.scalar("a", &[update(a)]));
            block.kernel("k", &[read(a)]);
            ids.push(block.scalar("a again", &[update(a)]));
            ids.push(block.scalar("b", &[overwrite(b), read(a)]));
        });
        let fusion = fused(&block.finish(), RegionId(1));
        assert_eq!(fusion, Fusion { tail: ids[1..].to_vec(), ..Fusion::default() });
    }
}
