//! In what two plans of one program differ: whether nodes can be patched, and which.

use std::collections::HashSet;
use std::sync::Arc;

use graph_ir::model::{Extent, NodeId, NodeKind};

use super::{DeviceExpression, Plan, RegionPlan, Step};
use crate::device::Bindings;

/// What only another graph can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// What the node that it is about is called.
    pub(crate) node: Option<Arc<str>>,
    /// A clause: `` `b` waits for `a`, which it did not ``.
    pub(crate) reason: String,
    /// Whether it is one of the plans, and not of what a device can change.
    pub(crate) structure: bool,
}

impl Difference {
    /// One of the plans.
    pub(crate) fn new(plan: &Plan, node: impl Into<Option<NodeId>>, reason: impl Into<String>) -> Self {
        let label = |node: NodeId| Arc::clone(&plan.program.node(node).label);
        Self { node: node.into().map(label), reason: reason.into(), structure: true }
    }

    /// Of what a device can change.
    #[cfg(feature = "cuda")]
    pub(crate) fn of_device(plan: &Plan, node: impl Into<Option<NodeId>>, reason: impl Into<String>) -> Self {
        Self { structure: false, ..Self::new(plan, node, reason) }
    }
}

/// The first difference in structure: other nodes, or others that they wait for.
pub(crate) fn structural(old: &Plan, new: &Plan) -> Option<Difference> {
    if let Some(difference) = nodes(old, new).or_else(|| waits(old, new)) {
        return Some(difference);
    }
    if !Arc::ptr_eq(&old.arena, &new.arena) && old.arena.loops != new.arena.loops {
        return Some(Difference {
            structure: false,
            ..Difference::new(new, None, "the loops' counters lie elsewhere")
        });
    }
    if Arc::ptr_eq(&old.program, &new.program) {
        return None;
    }
    let bodies = old.program.nodes.iter().zip(&new.program.nodes);
    let other = (0..).map(NodeId).zip(bodies).find(|(_, (old, new))| !same_body(&old.kind, &new.kind));
    other.map(|(node, _)| {
        let label = &new.program.node(node).label;
        Difference::new(new, node, format!("other indices of `{label}` are checked"))
    })
}

fn nodes(old: &Plan, new: &Plan) -> Option<Difference> {
    let labels = |plan: &Plan, node: NodeId| plan.step(node).map(|_| Arc::clone(&plan.program.node(node).label));
    let same_shape = Arc::ptr_eq(&old.program, &new.program)
        || old.program.nodes.len() == new.program.nodes.len() && old.node_ids().eq(new.node_ids());
    if same_shape {
        return None;
    }
    let (before, now) = (old.node_count(), new.node_count());
    let other = |one: &Plan, other: &Plan| one.node_ids().find(|node| labels(one, *node) != labels(other, *node));
    let reason = format!("the graph has {}, and had {before}", count(now));
    Some(match other(new, old) {
        None => Difference::new(old, other(old, new), reason),
        first => Difference::new(new, first, reason),
    })
}

fn count(nodes: usize) -> String {
    if nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") }
}

fn waits(old: &Plan, new: &Plan) -> Option<Difference> {
    if Arc::ptr_eq(&old.regions, &new.regions) {
        return None;
    }
    let regions = old.regions.iter().zip(new.regions.iter()).find(|(old, new)| old != new);
    let Some((Some(before), Some(now))) = regions else {
        let other = old.regions.len() != new.regions.len() || regions.is_some();
        return other.then(|| Difference::new(new, None, "other bodies are part of the graph"));
    };
    let label = |node: NodeId| &new.program.node(node).label;
    let pairs = |region: &RegionPlan| region.edges.iter().map(|edge| (edge.from, edge.to)).collect::<HashSet<_>>();
    let (had, has) = (pairs(before), pairs(now));
    if let Some(edge) = now.edges.iter().find(|edge| !had.contains(&(edge.from, edge.to))) {
        let reason = format!("`{}` waits for `{}`, which it did not", label(edge.to), label(edge.from));
        return Some(Difference::new(new, edge.to, reason));
    }
    if let Some(edge) = before.edges.iter().find(|edge| !has.contains(&(edge.from, edge.to))) {
        let reason = format!("`{}` does not wait for `{}`, which it did", label(edge.to), label(edge.from));
        return Some(Difference::new(new, edge.to, reason));
    }
    if before.order != now.order {
        let other = before.order.iter().zip(&now.order).find(|(old, new)| old != new);
        return Some(Difference::new(new, other.map(|(_, node)| *node), "other nodes are in a body"));
    }
    let reasons = before.edges.iter().zip(&now.edges).find(|(old, new)| old != new);
    let node = reasons.map(|(_, edge)| edge.to);
    Some(Difference::new(new, node, "other nodes can share a launch, or wait for another reason"))
}

/// Whether kernels in the block are the same: which of their indices are checked depends on numbers.
fn same_body(old: &NodeKind, new: &NodeKind) -> bool {
    match (old, new) {
        (NodeKind::Compute(old), NodeKind::Compute(new)) => Arc::ptr_eq(old, new) || old == new,
        _ => true,
    }
}

/// The nodes that do something else, or with other memory; the plans have the same structure.
pub(crate) fn touched([old, new]: [&Plan; 2], [was, is]: [&Bindings; 2]) -> Vec<NodeId> {
    let other = |node: &NodeId| {
        let (before, now) = (old.program.node(*node), new.program.node(*node));
        let mut accesses = before.accesses.iter().zip(&now.accesses);
        accesses.any(|(before, now)| was.call_buffer(old, before) != is.call_buffer(new, now))
            || does_other([old, new], *node)
    };
    new.node_ids().filter(other).collect()
}

/// Whether a node does something else, or the same with other elements, wherever those are.
pub(super) fn does_other([old, new]: [&Plan; 2], node: NodeId) -> bool {
    let (before, now) = (old.program.node(node), new.program.node(node));
    let mut accesses = before.accesses.iter().zip(&now.accesses);
    before.accesses.len() != now.accesses.len()
        || accesses.any(|(before, now)| old.strided(before) != new.strided(now))
        || !old.step(node).zip(new.step(node)).is_some_and(|(old, new)| same_step(old, new))
        || limit(&before.kind) != limit(&now.kind)
}

fn limit(kind: &NodeKind) -> Option<Extent> {
    match kind {
        NodeKind::Loop(head) => head.limit,
        _ => None,
    }
}

/// Whether two steps do the same with the same memory.
fn same_step(old: &Step, new: &Step) -> bool {
    let same = |old: &DeviceExpression, new: &DeviceExpression| old.values == new.values;
    match (old, new) {
        (Step::Kernel(old), Step::Kernel(new)) => {
            std::ptr::eq(old.declaration, new.declaration)
                && [old.grid, old.block] == [new.grid, new.block]
                && (old.shared, &old.arguments) == (new.shared, &new.arguments)
        }
        (Step::Fill { pattern: old }, Step::Fill { pattern: new }) => old == new,
        (Step::Scalar(old), Step::Scalar(new))
        | (Step::If(old), Step::If(new))
        | (Step::Match(old), Step::Match(new)) => same(old, new),
        (Step::Loop(old), Step::Loop(new)) => match (old, new) {
            (Some(old), Some(new)) => same(old, new),
            (old, new) => old.is_none() && new.is_none(),
        },
        (Step::Assert { test: old, message: said }, Step::Assert { test: new, message: says }) => {
            same(old, new) && said == says
        }
        (Step::Compute(old), Step::Compute(new)) => old.values == new.values && old.function.axes == new.function.axes,
        (Step::Host(old), Step::Host(new)) | (Step::Capture(old), Step::Capture(new)) => old.same_as(new),
        (Step::Copy, Step::Copy) | (Step::Record(_), Step::Record(_)) | (Step::Wait(_), Step::Wait(_)) => true,
        _ => false,
    }
}
