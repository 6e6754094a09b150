//! Which assignments share a launch in a CUDA graph, by node.

use std::collections::{BTreeMap, HashMap};

use graph_ir::model::{BufferId, Combine, NodeId, NodeKind, RegionId, ScalarType, SymbolId};
use graph_ir::optimize::Left;

use super::Plan;
use crate::scalar::facts;

/// What a node is among those that share a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'p> {
    /// It has its own.
    Alone,
    /// The launch takes its place; these are all that share it, in order.
    First(&'p [NodeId]),
    /// It is part of this one's launch.
    Behind(NodeId),
    /// The test at the end of its loop's body makes it.
    Tail,
}

/// The part of each node of a plan.
#[derive(Default)]
pub(crate) struct Parts<'p> {
    of: HashMap<NodeId, Part<'p>>,
    /// By the reduction.
    deferred: HashMap<NodeId, NodeId>,
    /// The first node of the launch that keeps a transient in registers.
    registers: BTreeMap<BufferId, NodeId>,
    /// What could share a launch, and does not.
    left: HashMap<NodeId, Left>,
}

impl<'p> Parts<'p> {
    pub(crate) fn of(plan: &'p Plan) -> Self {
        let (mut of, mut deferred) = (HashMap::new(), HashMap::new());
        let (mut registers, mut left) = (BTreeMap::new(), HashMap::new());
        for fusion in plan.regions.iter().flatten().map(|region| &region.fusion) {
            for group in &fusion.groups {
                of.extend(group.iter().map(|node| (*node, Part::Behind(group[0]))));
                of.insert(group[0], Part::First(group));
            }
            of.extend(fusion.tail.iter().map(|node| (*node, Part::Tail)));
            let whole = fusion.deferrals.iter().filter(|deferral| plan.combines(deferral.reduction).is_some());
            deferred.extend(whole.map(|deferral| (deferral.reduction, deferral.into)));
            registers.extend(fusion.registers.iter().copied());
            left.extend(fusion.left.iter().map(|left| (left.node, *left)));
        }
        Self { of, deferred, registers, left }
    }

    /// Whether no launch is shared.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The first node of the launch that keeps a transient in registers.
    pub(crate) fn keeps(&self, buffer: BufferId) -> Option<NodeId> {
        self.registers.get(&buffer).copied()
    }

    /// How many transients stay in registers.
    pub(crate) fn kept(&self) -> usize {
        self.registers.len()
    }

    /// Whether a reduction leaves its blocks' values to the launch behind it.
    pub(crate) fn defers(&self, reduction: NodeId) -> bool {
        self.deferred.contains_key(&reduction)
    }

    /// The reductions whose values the launch that starts with this node combines, in order.
    pub(crate) fn left_to(&self, first: NodeId) -> Vec<NodeId> {
        let left = self.deferred.iter().filter(|(_, into)| **into == first).map(|(reduction, _)| *reduction);
        let mut left: Vec<_> = left.collect();
        left.sort_unstable();
        left
    }

    /// The first node of the launch that a node is in.
    pub(crate) fn launch_of(&self, node: NodeId) -> NodeId {
        match self.part(node) {
            Part::Behind(first) => first,
            _ => node,
        }
    }

    /// What a node is.
    pub(crate) fn part(&self, node: NodeId) -> Part<'p> {
        self.of.get(&node).copied().unwrap_or(Part::Alone)
    }
}

/// The accesses of nodes that share a launch, numbered through.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// Each node, and the number of its first access.
    members: Vec<(NodeId, u32)>,
    /// The program's symbols: those of one member are numbered behind those of the one before.
    symbols: u32,
}

impl Shared {
    /// The accesses of `leading` keep their numbers.
    pub(crate) fn of(plan: &Plan, members: &[NodeId], leading: NodeId) -> Self {
        let count = |node: NodeId| plan.program.node(node).accesses.len() as u32;
        let mut next = count(leading);
        let member = |node: &NodeId| {
            let first = if *node == leading { 0 } else { next };
            next += if *node == leading { 0 } else { count(*node) };
            (*node, first)
        };
        Self { members: members.iter().map(member).collect(), symbols: plan.program.symbols.len() as u32 }
    }

    /// The number of an access of the member at this position.
    pub(crate) fn access(&self, member: usize, access: u32) -> u32 {
        self.members[member].1 + access
    }

    /// Whose access has this number, and its own number there.
    pub(crate) fn origin(&self, access: u32) -> (NodeId, u32) {
        let before = self.members.iter().filter(|(_, first)| *first <= access);
        let (node, first) = before.max_by_key(|(_, first)| *first).copied().unwrap_or(self.members[0]);
        (node, access - first)
    }

    /// The number of a host value of the member at this position: of two passes of a `for` it has two values.
    pub(crate) fn host(&self, member: usize, symbol: SymbolId) -> SymbolId {
        SymbolId(member as u32 * self.symbols + symbol.0)
    }

    /// Whose host value has this number, and its own number there.
    pub(crate) fn host_origin(&self, symbol: SymbolId) -> Option<(NodeId, SymbolId)> {
        let member = symbol.0.checked_div(self.symbols)?;
        Some((self.members.get(member as usize)?.0, SymbolId(symbol.0 % self.symbols)))
    }

    /// The nodes, in order.
    pub(crate) fn members(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.members.iter().map(|(node, _)| *node)
    }
}

impl Plan {
    /// How a reduction's values are combined elsewhere, and what they are: those that are stored as they are computed.
    pub(crate) fn combines(&self, reduction: NodeId) -> Option<(Combine, ScalarType)> {
        let node = self.program.node(reduction);
        let NodeKind::Compute(compute) = &node.kind else { return None };
        let scalar = self.element(node.accesses.first()?.buffer).scalar?;
        let whole = matches!(facts::width(scalar), 32 | 64);
        Some((compute.reduction.as_ref()?.operator, scalar)).filter(|_| whole)
    }

    /// What a loop's test does first, at the end of each pass.
    pub(crate) fn tail(&self, node: NodeId) -> &[NodeId] {
        match &self.program.node(node).kind {
            NodeKind::Loop(head) => self.region(head.body).map_or(&[], |body| &body.fusion.tail),
            _ => &[],
        }
    }

    /// What `plan()` says about a node's launch: with whom it is shared, or is not, and what it keeps in registers.
    pub(super) fn launch_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let all = [self.fused_text(parts, node), self.left_text(parts, node), self.kept_text(parts, node)];
        let all: Vec<String> = all.into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    fn kept_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let kept = parts.registers.iter().filter(|(_, launch)| **launch == node);
        let kept: Vec<String> = kept.map(|(buffer, _)| format!("`{}`", self.program.buffer(*buffer).name)).collect();
        (!kept.is_empty()).then(|| format!("keeps {} in registers", kept.join(", ")))
    }

    fn left_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let left = parts.left.get(&node)?;
        let launch = &self.program.node(left.launch).label;
        let why = match left.bytes {
            Some(bytes) => format!("{bytes} bytes more would be needed at once"),
            None => "for the memory budget".to_owned(),
        };
        Some(format!("not in the launch of {launch}: {why}"))
    }

    fn fused_text(&self, parts: &Parts<'_>, node: NodeId) -> Option<String> {
        let label = |node: &NodeId| self.program.node(*node).label.clone();
        match parts.part(node) {
            _ if parts.defers(node) => {
                let into = parts.deferred.get(&node).map(label);
                let own = matches!(parts.part(node), Part::Behind(_)).then(|| label(&parts.launch_of(node)));
                let own = own.map(|own| format!("in the launch of {own}; ")).unwrap_or_default();
                Some(format!("{own}its blocks' values are combined in the launch of {}", into.unwrap_or_default()))
            }
            Part::Alone => None,
            Part::First(group) => {
                let others: Vec<_> = group[1..].iter().map(label).collect();
                Some(format!("one launch with {}", others.join(", ")))
            }
            Part::Behind(first) => Some(format!("in the launch of {}", label(&first))),
            Part::Tail => Some(format!("in the test of {}", self.owner_text(self.program.node(node).region))),
        }
    }

    fn owner_text(&self, region: RegionId) -> String {
        let owner = self.program.region(region).owner;
        owner.map_or_else(String::new, |owner| self.program.node(owner).label.to_string())
    }
}
