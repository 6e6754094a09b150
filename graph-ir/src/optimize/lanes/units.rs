//! What is dealt: launches, and what must stay without a lane.
//!
//! Something that meets the outside while it runs may wait for what the host or another graph does, and that for something else of this
//! graph: a loop that a mailbox ends, and a callback which tells the host to end it. Nothing promises that the two run side by side, but
//! an edge would make sure that they do not. So no way through an edge of a lane may lead from one such node to another if none did
//! before. That holds if lanes are dealt apart for each set of nodes that have the same of them before and behind them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Given;
use crate::analysis::Edge;
use crate::analysis::effects::{accesses, has_effects};
use crate::analysis::order::{Adjacency, positions};
use crate::model::{Memory, NodeId, NodeKind, Program, SectionId};

/// More nodes that meet the outside than bits, and a region stays as it is.
const MOST_MEETINGS: usize = 64;

/// The launches of a region, in an order in which each comes behind all that it waits for.
pub(super) struct Units {
    /// The first node of each.
    first: Vec<NodeId>,
    /// Of those of several nodes: which wait for no other of it, and for which no other waits.
    ends: FxHashMap<u32, [Vec<NodeId>; 2]>,
    /// All nodes of those that have a lane, and the unit of each.
    pub(super) members: Vec<(NodeId, u32)>,
    /// Among which units each may share a lane; `None` for what has no lane.
    pub(super) class: Vec<Option<u32>>,
    /// How long each takes, at least 1.
    pub(super) duration: Vec<u64>,
    /// Who waits for each.
    pub(super) behind: Adjacency,
    /// For whom each waits.
    pub(super) before: Adjacency,
}

impl Units {
    /// `None` if the region must stay as it is.
    pub(super) fn of(program: &Program, given: Given<'_>) -> Option<Self> {
        let unit_of = units_of_nodes(given);
        let count = unit_of.iter().map(|unit| unit + 1).max().unwrap_or(0) as usize;
        let mut first: Vec<NodeId> = Vec::with_capacity(count);
        let mut duration = vec![0_u64; count];
        for (node, unit) in given.order.iter().zip(&unit_of) {
            if *unit as usize == first.len() {
                first.push(*node);
            }
            duration[*unit as usize] = duration[*unit as usize].saturating_add((given.durations)(*node)).max(1);
        }
        let pairs: Vec<_> = positions(given.order, given.edges)
            .into_iter()
            .map(|pair| {
                let (from, to) = pair?;
                let (from, to) = (unit_of[from as usize], unit_of[to as usize]);
                (from != to).then_some((from, to))
            })
            .collect();
        if pairs.iter().flatten().any(|(from, to)| from > to) {
            return None;
        }
        let turned: Vec<_> = pairs.iter().map(|pair| pair.map(|(from, to)| (to, from))).collect();
        let (behind, before) = (Adjacency::new(count, &pairs), Adjacency::new(count, &turned));
        let class = classes(program, given, &unit_of, (&behind, &before))?;
        let members = given.order.iter().copied().zip(unit_of).filter(|(_, unit)| class[*unit as usize].is_some());
        let ends = ends(given);
        let ends = (0..).zip(&first).filter_map(|(unit, first)| Some((unit, ends.get(first)?.clone()))).collect();
        Some(Self { first, ends, members: members.collect(), class, duration, behind, before })
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// The nodes of a unit that wait for no other of it.
    pub(super) fn sources(&self, unit: usize) -> &[NodeId] {
        self.end(unit, 0)
    }

    /// The nodes of a unit for which no other of it waits.
    pub(super) fn sinks(&self, unit: usize) -> &[NodeId] {
        self.end(unit, 1)
    }

    fn end(&self, unit: usize, side: usize) -> &[NodeId] {
        self.ends.get(&(unit as u32)).map_or_else(|| std::slice::from_ref(&self.first[unit]), |ends| &ends[side])
    }
}

/// By position in the order: the number of the launch, in the order of their first nodes.
fn units_of_nodes(given: Given<'_>) -> Vec<u32> {
    let first = given.fusion.firsts();
    let mut known: FxHashMap<NodeId, u32> = FxHashMap::default();
    let mut next = 0;
    let unit = |node: &NodeId| {
        let mut new = || {
            next += 1;
            next - 1
        };
        match first.get(node) {
            Some(first) => *known.entry(*first).or_insert_with(new),
            None => new(),
        }
    };
    given.order.iter().map(unit).collect()
}

/// By the first node of each group: its sources and its sinks.
fn ends(given: Given<'_>) -> FxHashMap<NodeId, [Vec<NodeId>; 2]> {
    let groups = &given.fusion.groups;
    let of = given.fusion.firsts();
    let inner = |edge: &&Edge| of.get(&edge.from).is_some_and(|first| of.get(&edge.to) == Some(first));
    let inner: Vec<_> = given.edges.iter().filter(inner).collect();
    let waits: FxHashSet<NodeId> = inner.iter().map(|edge| edge.to).collect();
    let waited_for: FxHashSet<NodeId> = inner.iter().map(|edge| edge.from).collect();
    let without = |group: &[NodeId], those: &FxHashSet<NodeId>| {
        group.iter().filter(|node| !those.contains(node)).copied().collect()
    };
    groups.iter().map(|group| (group[0], [without(group, &waits), without(group, &waited_for)])).collect()
}

/// Among which units each may share a lane.
fn classes(
    program: &Program,
    given: Given<'_>,
    unit_of: &[u32],
    (behind, before): (&Adjacency, &Adjacency),
) -> Option<Vec<Option<u32>>> {
    let count = unit_of.iter().map(|unit| unit + 1).max().unwrap_or(0) as usize;
    let (mut stays, mut meets) = (vec![false; count], vec![false; count]);
    let tail: FxHashSet<NodeId> = given.fusion.tail.iter().copied().collect();
    for (node, unit) in given.order.iter().zip(unit_of) {
        stays[*unit as usize] |= stays_as_it_is(program, *node) || tail.contains(node);
        meets[*unit as usize] |= meets_the_outside(program, *node);
    }
    let meetings: Vec<usize> = (0..count).filter(|unit| meets[*unit]).collect();
    if meetings.len() > MOST_MEETINGS {
        return None;
    }
    let mut masks = vec![(0_u64, 0_u64); count];
    for (bit, unit) in meetings.iter().enumerate() {
        masks[*unit] = (1 << bit, 1 << bit);
    }
    for unit in 0..count {
        let earlier = before.of(unit).iter().fold(0, |mask, (earlier, _)| mask | masks[*earlier as usize].0);
        masks[unit].0 |= earlier;
    }
    for unit in (0..count).rev() {
        let later = behind.of(unit).iter().fold(0, |mask, (later, _)| mask | masks[*later as usize].1);
        masks[unit].1 |= later;
    }
    let mut classes: FxHashMap<(u64, u64), u32> = FxHashMap::default();
    let mut class = |unit: usize| {
        let next = classes.len() as u32;
        (!stays[unit] && !meets[unit]).then(|| *classes.entry(masks[unit]).or_insert(next))
    };
    Some((0..count).map(&mut class).collect())
}

/// Whether a node may wait, while it runs, for what is not of this graph, or be waited for by it: callbacks, what a library does in a
/// captured call, events, mailboxes, and kernels of which is only known that they have effects. One in a body makes its owner one.
fn meets_the_outside(program: &Program, node: NodeId) -> bool {
    let calls = |kind: &NodeKind| matches!(kind, NodeKind::Host(_) | NodeKind::Capture(_)) || kind.event().is_some();
    let inside = |kind: &NodeKind| {
        kind.bodies()
            .into_iter()
            .any(|body| program.region(body).nodes.iter().any(|node| meets_the_outside(program, *node)))
    };
    let kind = &program.node(node).kind;
    let mailbox = || accesses(program, node).iter().any(|one| program.buffer(one.buffer).memory == Memory::Mailbox);
    calls(kind) || has_effects(program, node) || mailbox() || inside(kind)
}

/// Whether the block says when a node begins: it overlaps with those in front of it, has a priority, or stands in an `#[explicit]` graph.
fn stays_as_it_is(program: &Program, node: NodeId) -> bool {
    let node = program.node(node);
    let asked = node.attributes.as_ref().is_some_and(|asked| asked.overlap.is_some() || asked.priority.is_some());
    let mut around = std::iter::successors(Some(node.section), |section| program.around_section(*section));
    let made = node.section == SectionId::MADE && program.is_explicit(SectionId::STATEMENTS);
    asked || made || around.any(|section| program.is_explicit(section))
}
