//! Which reductions leave it to the launch behind them to combine their blocks' values.
//!
//! A reduction of several blocks has to wait for the last of them, or else the kernel behind it has. The latter costs nothing: that
//! kernel has to load the reduction's value anyway, and then loads the blocks' values instead. It also stores the value, so nobody else
//! may look at it, or change it, between the two.

use std::collections::{BTreeMap, BTreeSet};

use super::kernels;
use crate::analysis::Edge;
use crate::model::{BufferId, NodeId, NodeKind, Program, RegionId};

/// A reduction whose value another launch combines and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deferral {
    /// The reduction.
    pub reduction: NodeId,
    /// The first node of the launch that waits for it and combines.
    pub into: NodeId,
}

/// The launches of one region: each is known by its first node.
struct Launches<'p> {
    program: &'p Program,
    region: RegionId,
    first: BTreeMap<NodeId, NodeId>,
    members: BTreeMap<NodeId, Vec<NodeId>>,
    behind: BTreeMap<NodeId, BTreeSet<NodeId>>,
    tail: &'p [NodeId],
}

/// The deferrals of a region, given who shares launches.
pub(super) fn deferrals(
    program: &Program,
    region: RegionId,
    order: &[NodeId],
    edges: &[Edge],
    groups: &[Vec<NodeId>],
    tail: &[NodeId],
) -> Vec<Deferral> {
    let reduces = |node: &NodeId| kernels::kernel(program, *node).is_some_and(|kernel| kernel.reduction.is_some());
    if !order.iter().any(reduces) {
        return Vec::new();
    }
    let launches = Launches::new(program, region, order, edges, groups, tail);
    let defers = |node: &NodeId| launches.defers(*node).map(|into| Deferral { reduction: *node, into });
    order.iter().filter_map(defers).collect()
}

impl<'p> Launches<'p> {
    fn new(
        program: &'p Program,
        region: RegionId,
        order: &[NodeId],
        edges: &[Edge],
        groups: &[Vec<NodeId>],
        tail: &'p [NodeId],
    ) -> Self {
        let mut first: BTreeMap<NodeId, NodeId> = order.iter().map(|node| (*node, *node)).collect();
        for group in groups {
            first.extend(group.iter().map(|node| (*node, group[0])));
        }
        let mut members: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for node in order {
            members.entry(first[node]).or_default().push(*node);
        }
        let mut behind: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
        for edge in edges {
            if let (Some(from), Some(to)) = (first.get(&edge.from), first.get(&edge.to)) {
                behind.entry(*from).or_default().insert(*to);
            }
        }
        Self { program, region, first, members, behind, tail }
    }

    /// The launch that can combine a reduction's values.
    fn defers(&self, reduction: NodeId) -> Option<NodeId> {
        let node = self.program.node(reduction);
        let accumulates = kernels::kernel(self.program, reduction)?.reduction.as_ref()?.accumulate;
        let buffer = node.accesses.first()?.buffer;
        if accumulates || node.optional || self.program.buffer(buffer).length() != Some(1) {
            return None;
        }
        let own = self.first[&reduction];
        let apart =
            self.members[&own].iter().filter(|member| **member != reduction).all(|member| !self.names(*member, buffer));
        let mut behind = self.behind.get(&own).into_iter().flatten();
        apart.then(|| behind.find(|into| self.combines(own, **into, buffer)).copied()).flatten()
    }

    fn names(&self, node: NodeId, buffer: BufferId) -> bool {
        self.program.node(node).accesses.iter().any(|access| access.buffer == buffer)
    }

    /// Whether a launch reads a single element of the buffer only, and everybody else looks at it behind it or before the reduction.
    fn combines(&self, own: NodeId, into: NodeId, buffer: BufferId) -> bool {
        let members = &self.members[&into];
        members.iter().all(|member| self.reads_alone(*member, buffer))
            && members.iter().any(|member| self.names(*member, buffer))
            && self.others(buffer).all(|user| {
                let Some(user) = self.first.get(&user) else { return true };
                *user == own || *user == into || self.reaches(*user, own) || self.reaches(into, *user)
            })
    }

    fn reads_alone(&self, node: NodeId, buffer: BufferId) -> bool {
        let here = self.program.node(node);
        let named = here.accesses.iter().filter(|access| access.buffer == buffer);
        matches!(here.kind, NodeKind::Compute(_))
            && !here.optional
            && named.into_iter().all(|access| !access.mode.writes())
            && !kernels::indexes(self.program, node, buffer)
    }

    /// The nodes of the region that name a buffer, or within which something does. A test at the end of a pass comes last anyway.
    fn others(&self, buffer: BufferId) -> impl Iterator<Item = NodeId> + '_ {
        let all = (0..self.program.nodes.len() as u32).map(NodeId);
        let naming = all.filter(move |node| self.names(*node, buffer));
        naming.filter_map(|node| self.within(node)).filter(|node| !self.tail.contains(node))
    }

    /// The node of the region that a node is, or is within.
    fn within(&self, mut node: NodeId) -> Option<NodeId> {
        loop {
            let region = self.program.node(node).region;
            if region == self.region {
                return Some(node);
            }
            node = self.program.region(region).owner?;
        }
    }

    fn reaches(&self, from: NodeId, to: NodeId) -> bool {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(launch) = open.pop() {
            if launch == to {
                return true;
            }
            if seen.insert(launch) {
                open.extend(self.behind.get(&launch).into_iter().flatten().copied());
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fused;
    use super::*;
    use crate::model::{Combine, Compute, Expression, Mode, Reduction};
    use crate::testing::{Builder, number, overwrite, read, update};

    /// A sum into access 0, or a kernel that names its accesses as single elements.
    fn compute(sums: bool, accumulate: bool) -> NodeKind {
        let value = Expression::Boolean(true);
        let reduction = sums.then_some(Reduction { operator: Combine::Sum, value, accumulate });
        NodeKind::Compute(Compute { axes: Vec::new(), locals: Vec::new(), body: Vec::new(), reduction }.into())
    }

    /// `s = Σ x`, then what `behind` adds; whether the sum is left to the first of that.
    fn deferred(accumulate: bool, length: u64, behind: impl FnOnce(&mut Builder, [BufferId; 3])) -> bool {
        let mut block = Builder::new("g");
        let s = block.parameter("s", Mode::Update, number(length));
        let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(4)));
        // So that nothing is put together with what comes behind.
        block.kernel("k", &[update(x)]);
        let target = if accumulate { update(s) } else { overwrite(s) };
        let reduction = block.node("sum", compute(true, accumulate), &[target, read(x)]);
        behind(&mut block, [s, x, y]);
        let deferrals = fused(&block.finish(), RegionId::GRAPH).deferrals;
        deferrals == [Deferral { reduction, into: NodeId(reduction.0 + 1) }]
    }

    #[test]
    fn the_kernel_that_reads_a_sum_first_combines_it() {
        let uses = |block: &mut Builder, [s, _, y]: [BufferId; 3]| {
            block.node("uses", compute(false, false), &[update(y), read(s)]);
        };
        assert!(deferred(false, 1, uses));
        assert!(!deferred(true, 1, uses), "its old value takes part");
        assert!(!deferred(false, 2, uses), "there are other elements");
    }

    #[test]
    fn nobody_may_look_in_between() {
        assert!(deferred(false, 1, |block, [s, _, y]| {
            block.node("uses", compute(false, false), &[update(y), read(s)]);
            block.kernel("behind", &[read(s), read(y)]);
        }));
        assert!(!deferred(false, 1, |block, [s, x, y]| {
            block.node("uses", compute(false, false), &[update(y), read(s)]);
            block.kernel("beside", &[read(s), update(x)]);
        }));
        assert!(!deferred(false, 1, |block, [s, _, y]| {
            block.kernel("uses", &[update(y), read(s)]);
        }));
        assert!(!deferred(false, 1, |block, [s, _, y]| {
            block.node("changes", compute(false, false), &[update(y), update(s)]);
        }));
    }

    #[test]
    fn what_looks_from_within_a_body_looks_behind_it() {
        let body = |also: bool| {
            deferred(false, 1, |block, [s, _, y]| {
                block.node("uses", compute(false, false), &[update(y), read(s)]);
                block.when(&[read(y)], |block| {
                    let accesses = if also { vec![read(s)] } else { vec![] };
                    block.kernel("within", &accesses);
                });
            })
        };
        assert!(body(true) && body(false));
    }
}
