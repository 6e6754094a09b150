//! How much memory the transients of a region need at once, launch by launch, and whether a launch may take one more statement.
//!
//! Statements that share a launch need beside each other all that they name: what the first of them reads for the last time lies beside
//! what the last of them writes. The measure is the plan's order, one launch behind the other; a transient is needed from the first launch
//! that names it to the last, and not at all if it stays in registers.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::effects::accesses;
use crate::model::{BufferId, NodeId, Origin, Program, RegionId};
use crate::optimize::registers::Users;

/// What fusion may cost.
#[derive(Clone, Copy)]
pub struct Memory<'a> {
    /// The bytes of a transient.
    pub bytes: &'a dyn Fn(BufferId) -> u64,
    /// Who uses which transients, if those that nobody needs in memory stay in registers.
    pub users: &'a Users,
    /// So many bytes more than without fusion may be needed at once.
    pub free: u64,
}

/// The bytes that are needed at each place of a region's order.
pub(super) struct Need<'a> {
    program: &'a Program,
    memory: Memory<'a>,
    /// By node: the place of its launch.
    launches: HashMap<NodeId, usize>,
    /// The nodes of the region in which each transient is named.
    uses: BTreeMap<BufferId, BTreeSet<NodeId>>,
    /// From where to where a transient is needed; none that stay in registers.
    ranges: BTreeMap<BufferId, (usize, usize)>,
    heights: Heights,
    most: i128,
}

impl<'a> Need<'a> {
    /// Of a region without fusion; none if its transients are too small for it to matter.
    pub(super) fn new(program: &'a Program, region: RegionId, order: &[NodeId], memory: Memory<'a>) -> Option<Self> {
        let uses = uses(program, region, order);
        if uses.keys().fold(0_u64, |sum, buffer| sum.saturating_add((memory.bytes)(*buffer))) <= memory.free {
            return None;
        }
        let launches = order.iter().zip(0..).map(|(node, at)| (*node, at)).collect();
        let heights = Heights::new(order.len());
        let mut need = Self { program, memory, launches, uses, ranges: BTreeMap::new(), heights, most: 0 };
        for buffer in need.uses.keys().copied().collect::<Vec<_>>() {
            let kept = need.uses[&buffer].first().is_some_and(|user| memory.users.is_kept(program, &[*user], buffer));
            need.set(buffer, kept);
        }
        for (at, node) in order.iter().enumerate() {
            let inner = program.node(*node).kind.bodies().into_iter().map(|body| peak(program, body, memory.bytes));
            need.heights.add((at, at), inner.max().unwrap_or(0));
        }
        need.most = need.heights.top() + i128::from(memory.free);
        Some(need)
    }

    /// Puts a node to the launch of others, unless more would be needed at once than may be: then it says how much more.
    pub(super) fn join(&mut self, members: &[NodeId], node: NodeId) -> Result<(), u64> {
        let Some(first) = members.first() else { return Ok(()) };
        let own = self.launches.insert(node, self.launches[first]);
        let together: Vec<NodeId> = members.iter().copied().chain([node]).collect();
        let named: BTreeSet<BufferId> = self
            .program
            .node(node)
            .accesses
            .iter()
            .map(|access| access.buffer)
            .filter(|buffer| self.uses.contains_key(buffer))
            .collect();
        let before: Vec<_> = named.iter().map(|buffer| (*buffer, self.ranges.get(buffer).copied())).collect();
        for buffer in named {
            let kept = self.memory.users.is_kept(self.program, &together, buffer);
            self.set(buffer, kept);
        }
        let over = self.heights.top() - self.most;
        if over <= 0 {
            return Ok(());
        }
        before.into_iter().for_each(|(buffer, range)| self.set_range(buffer, range));
        self.launches.extend(own.map(|own| (node, own)));
        Err(u64::try_from(over + i128::from(self.memory.free)).unwrap_or(u64::MAX))
    }

    /// Looks again from where to where a transient is needed.
    fn set(&mut self, buffer: BufferId, kept: bool) {
        let places = || self.uses[&buffer].iter().map(|node| self.launches[node]);
        let range = places().min().zip(places().max()).filter(|_| !kept);
        self.set_range(buffer, range);
    }

    fn set_range(&mut self, buffer: BufferId, range: Option<(usize, usize)>) {
        let bytes = height((self.memory.bytes)(buffer));
        let old = match range {
            Some(range) => self.ranges.insert(buffer, range),
            None => self.ranges.remove(&buffer),
        };
        old.into_iter().for_each(|range| self.heights.add(range, -bytes));
        range.into_iter().for_each(|range| self.heights.add(range, bytes));
    }
}

/// The nodes of a region in which the transients that are declared there are named; what a body names, its owner names.
fn uses(program: &Program, region: RegionId, order: &[NodeId]) -> BTreeMap<BufferId, BTreeSet<NodeId>> {
    let mut uses: BTreeMap<BufferId, BTreeSet<NodeId>> = BTreeMap::new();
    for node in order {
        for access in accesses(program, *node).iter() {
            let buffer = program.buffer(access.buffer);
            if buffer.origin == Origin::Transient && buffer.region == region {
                uses.entry(access.buffer).or_default().insert(*node);
            }
        }
    }
    uses
}

/// The bytes that a region needs at once where its statements run one behind the other as written.
fn peak(program: &Program, region: RegionId, bytes: &dyn Fn(BufferId) -> u64) -> i128 {
    let nodes = &program.region(region).nodes;
    let mut heights = Heights::new(nodes.len());
    let places: HashMap<NodeId, usize> = nodes.iter().zip(0..).map(|(node, at)| (*node, at)).collect();
    for (buffer, users) in uses(program, region, nodes) {
        let at = || users.iter().map(|node| places[node]);
        at().min().zip(at().max()).into_iter().for_each(|range| heights.add(range, height(bytes(buffer))));
    }
    for (at, node) in nodes.iter().enumerate() {
        let inner = program.node(*node).kind.bodies().into_iter().map(|body| peak(program, body, bytes));
        heights.add((at, at), inner.max().unwrap_or(0));
    }
    heights.top()
}

/// As if nothing had more than 2^60 bytes, so that sums are exact.
fn height(bytes: u64) -> i128 {
    i128::from(bytes.min(1 << 60))
}

/// A height for each place, and the largest: a tree, in which a change of a range takes as many steps as the tree is deep.
struct Heights {
    leaves: usize,
    /// What is added to all places below, and the highest of them with that.
    nodes: Vec<(i128, i128)>,
}

impl Heights {
    fn new(places: usize) -> Self {
        let leaves = places.next_power_of_two();
        Self { leaves, nodes: vec![(0, 0); 2 * leaves] }
    }

    fn top(&self) -> i128 {
        self.nodes[1].1
    }

    /// Adds to all places from the first to the last.
    fn add(&mut self, range: (usize, usize), amount: i128) {
        self.add_below(1, (0, self.leaves - 1), range, amount);
    }

    fn add_below(&mut self, node: usize, (low, high): (usize, usize), (first, last): (usize, usize), amount: i128) {
        if last < low || high < first {
            return;
        }
        if first <= low && high <= last {
            let (added, top) = self.nodes[node];
            self.nodes[node] = (added + amount, top + amount);
            return;
        }
        let middle = low.midpoint(high);
        self.add_below(2 * node, (low, middle), (first, last), amount);
        self.add_below(2 * node + 1, (middle + 1, high), (first, last), amount);
        let added = self.nodes[node].0;
        self.nodes[node].1 = added + self.nodes[2 * node].1.max(self.nodes[2 * node + 1].1);
    }
}

#[cfg(test)]
mod tests;
