//! A plan with other arguments: nodes that pass changed values on get the new ones, everything else stays as it is.
//!
//! Beside what is passed, such a value decides three things: how many elements a kernel touches by its declaration, whether the
//! declaration's requirements are met, and where integers of the host's lead the indices of a kernel in the block. Each is looked at
//! again for the nodes that the value reaches. Where it comes out otherwise there is no patch: then the graph is planned as a whole, which
//! also says what is wrong.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use graph_ir::concrete::FrameId;
use graph_ir::model::{Argument, Expression, HostValue, Node, NodeId, NodeKind, Program, SymbolId};

use super::build::Tables;
use super::declared::{requirement, values};
use super::steps::Sources;
use super::{ComputeStep, KernelStep, Plan, Step, StepList, indices};
use crate::element::ElementLayout;
use crate::program::{Changes, Sink};
use crate::scalar::facts;

/// Which nodes read which values: made when a plan is patched for the first time.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// By the frame that holds the value, and its symbol.
    nodes: HashMap<(FrameId, SymbolId), Vec<NodeId>>,
    /// Nodes with a closure, which may name any value.
    calls: Vec<NodeId>,
    /// What `static` buffers are filled with when the graph is built.
    statics: HashSet<SymbolId>,
}

impl Readers {
    /// Those of a plan that was made of this evaluation.
    pub(super) fn of(plan: &Plan, sink: &Sink) -> Self {
        let mut readers = Self::default();
        for node in plan.node_ids() {
            let (frame, _) = plan.origins.of(node);
            let here = plan.program.node(node);
            if matches!(here.kind, NodeKind::Host(_) | NodeKind::Capture(_)) {
                readers.calls.push(node);
            }
            for symbol in symbols(here) {
                // A value that nobody has recorded cannot change.
                let Some(holder) = sink.holder(frame, symbol) else { continue };
                readers.nodes.entry((holder, symbol)).or_default().push(node);
            }
        }
        let statics = plan.program.statics.iter().filter_map(symbol_of);
        readers.statics.extend(statics);
        readers
    }

    /// Whether one of these changes is of what a `static` buffer is filled with.
    pub(super) fn fills_static(&self, changes: &Changes) -> bool {
        changes.values.iter().any(|(_, symbol)| self.statics.contains(symbol))
    }

    /// Whom these changes of values reach.
    pub(super) fn reached(&self, changes: &Changes) -> BTreeSet<NodeId> {
        let read = changes.values.iter().filter_map(|value| self.nodes.get(value)).flatten();
        let calls = self.calls.iter().filter(|_| changes.calls);
        read.chain(calls).copied().collect()
    }
}

/// The values and the message that a node's step is made of.
fn symbols(node: &Node) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut host = |part: &Expression| {
        if let Expression::Host(symbol) = part {
            found.insert(*symbol);
        }
    };
    match &node.kind {
        NodeKind::Scalar { value } => value.walk(&mut host),
        NodeKind::Compute(compute) => compute.walk(&mut host),
        NodeKind::If { test, .. } | NodeKind::Match { test, .. } => test.value.walk(&mut host),
        NodeKind::Loop(head) => head.test.iter().for_each(|test| test.value.walk(&mut host)),
        NodeKind::Assert { test, message } => {
            test.value.walk(&mut host);
            found.extend(message);
        }
        NodeKind::Fill { value } => found.extend(symbol_of(value)),
        NodeKind::Kernel(launch) => found.extend(launch.arguments.iter().filter_map(|argument| match argument {
            Argument::Value(value) => symbol_of(value),
            _ => None,
        })),
        _ => {}
    }
    found
}

fn symbol_of(value: &HostValue) -> Option<SymbolId> {
    match value {
        HostValue::Symbol(symbol) => Some(*symbol),
        HostValue::Literal(_) => None,
    }
}

impl Plan {
    /// The nodes that are part of the graph.
    pub(crate) fn node_ids(&self) -> impl Iterator<Item = NodeId> {
        self.steps.iter().map(|(node, _)| node)
    }

    /// The plan with the values of a later evaluation, which differs in nothing else, and the nodes that do something else in it. `None`
    /// if anything but what nodes are passed may be different, or if something is wrong.
    pub(super) fn patched(
        &self,
        sink: &Sink,
        tables: &Tables,
        changes: &Changes,
        readers: &Readers,
    ) -> Option<(Self, Vec<NodeId>)> {
        let sources =
            Sources { program: &self.program, origins: &self.origins, sink, tables, elements: &self.elements };
        let mut steps = self.steps.clone();
        let mut touched = Vec::new();
        for node in readers.reached(changes) {
            let old = self.step(node)?;
            let mut new = sources.step(node).ok()?;
            if !self.keeps_its_place(node, old, &mut new) {
                return None;
            }
            if is_other(old, &new) {
                steps.set(node, new);
                touched.push(node);
            }
        }
        Some((self.with(Arc::clone(&self.program), steps), touched))
    }

    /// The same with other numbers, and what nodes do with them.
    pub(super) fn with(&self, program: Arc<Program>, steps: StepList) -> Self {
        Self {
            program,
            origins: Arc::clone(&self.origins),
            bound: Arc::clone(&self.bound),
            elements: Arc::clone(&self.elements),
            regions: Arc::clone(&self.regions),
            steps,
            arena: Arc::clone(&self.arena),
            statics: Arc::clone(&self.statics),
            unread: Arc::clone(&self.unread),
            merged: Arc::clone(&self.merged),
            planning: self.planning,
            by: self.by,
        }
    }

    /// Whether a node may do the one in the place of the other: it touches the same elements, and nothing is wrong with it.
    fn keeps_its_place(&self, node: NodeId, old: &Step, new: &mut Step) -> bool {
        let node = self.program.node(node);
        match (old, new) {
            (Step::Kernel(old), Step::Kernel(new)) => same_elements(node, old, Arc::make_mut(new)),
            (Step::Compute(old), Step::Compute(new)) => {
                same_indices(&self.program, &self.elements, node, old, Arc::make_mut(new))
            }
            (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
        }
    }
}

fn same_elements(node: &Node, old: &KernelStep, new: &mut KernelStep) -> bool {
    new.passed.clone_from(&old.passed);
    let lengths = |step: &KernelStep| (step.declaration.lengths)(&values(step)).ok();
    let (before, now) = (lengths(old), lengths(new));
    now.is_some() && before == now && requirement(node, new).is_none()
}

fn same_indices(
    program: &Program,
    elements: &[ElementLayout],
    node: &Node,
    old: &ComputeStep,
    new: &mut ComputeStep,
) -> bool {
    new.given.clone_from(&old.given);
    let integers = |step: &ComputeStep| -> Vec<_> {
        let counts = |layout: ElementLayout| layout.scalar.is_some_and(facts::is_integer);
        step.values.iter().filter(|(_, value)| counts(value.layout)).cloned().collect()
    };
    let Some(given) = &new.given else { return true };
    if integers(old) == integers(new) {
        return true;
    }
    let node_before = Node { accesses: given.to_vec(), ..node.clone() };
    match indices::look(program, &node_before, new, elements) {
        Some(looked) => looked.findings.is_empty() && looked.accesses == node.accesses && looked.kind == node.kind,
        None => true,
    }
}

/// Whether a node does something else, or may: closures are compared by what they depend on.
fn is_other(old: &Step, new: &Step) -> bool {
    match (old, new) {
        (Step::Host(old), Step::Host(new)) | (Step::Capture(old), Step::Capture(new)) => !old.same_as(new),
        _ => true,
    }
}
