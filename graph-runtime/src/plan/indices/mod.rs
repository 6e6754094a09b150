//! Indices of kernels in the block, once more with numbers.
//!
//! The macro has compared indices as polynomials, in which nothing wraps and host values are names. Here the host values are numbers and
//! every part has its type, so it is certain which indices stay within their buffers and which can meet: nothing that the macro has
//! found is trusted.
//!
//! An index that surely stays within its access's footprint is not checked on the device, every other one is; a footprint that an index
//! may leave becomes the whole buffer. A race is refused.

mod affine;
mod race;
#[cfg(test)]
mod tests;
mod view;
mod walk;

use std::sync::Arc;

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, Compute, Footprint, Mode, Node, NodeId, NodeKind, Program, ScalarType, SymbolId, View};

use self::race::Fault;
use self::walk::{Use, Walk, number};
use super::build::internal_finding;
use super::{ComputeStep, Step};
use crate::element::ElementLayout;
use crate::program::TypedValue;
use crate::scalar::compute::{Buffers, InferredCompute, infer_compute};
use crate::scalar::facts;
use crate::scalar::typing::Types;

/// Decides for each kernel in the block which indices are checked, and refuses races.
pub(super) fn check(
    program: &mut Program,
    steps: &[Option<Step>],
    elements: &[ElementLayout],
    findings: &mut Vec<Finding>,
) {
    for (number, step) in steps.iter().enumerate() {
        if let Some(Step::Compute(step)) = step {
            check_one(program, NodeId(number as u32), step, elements, findings);
        }
    }
}

/// The same for one kernel in the block.
pub(super) fn check_one(
    program: &mut Program,
    id: NodeId,
    step: &ComputeStep,
    elements: &[ElementLayout],
    findings: &mut Vec<Finding>,
) {
    if let Some(looked) = look(program, program.node(id), step, elements) {
        let node = &mut program.nodes[id.0 as usize];
        (node.kind, node.accesses) = (looked.kind, looked.accesses);
        findings.extend(looked.findings);
    }
}

/// What is found of a kernel in the block.
pub(super) struct Looked {
    /// With indices that are checked, or not.
    pub(super) kind: NodeKind,
    /// Wider, where an index may leave them.
    pub(super) accesses: Vec<Access>,
    pub(super) findings: Vec<Finding>,
}

/// Looks at the indices of a node; `None` where there is nothing to say.
pub(super) fn look(program: &Program, node: &Node, step: &ComputeStep, elements: &[ElementLayout]) -> Option<Looked> {
    let NodeKind::Compute(compute) = &node.kind else { return None };
    let Found { inside, accesses, findings } = Body::of(program, node, step, elements)?.look(program, node, step)?;
    let mut compute = Compute::clone(compute);
    let mut answers = inside.into_iter();
    compute.indices_mut(&mut |_, index| index.proved = answers.next().unwrap_or(false));
    Some(Looked { kind: NodeKind::Compute(compute.into()), accesses, findings })
}

/// A kernel in the block with what does not depend on numbers.
pub(super) struct Body {
    inferred: InferredCompute,
    names: Vec<String>,
    /// The accesses that are single elements.
    elements: Vec<u32>,
}

/// What is found of a kernel in the block with numbers.
pub(super) struct Found {
    /// Of each index, in text order, whether it surely stays within its access.
    pub(super) inside: Vec<bool>,
    /// Wider, where an index may leave them.
    pub(super) accesses: Vec<Access>,
    pub(super) findings: Vec<Finding>,
}

impl Body {
    /// `None` where there is nothing to say: what has no types has none on a device either, which says so.
    pub(super) fn of(program: &Program, node: &Node, step: &ComputeStep, elements: &[ElementLayout]) -> Option<Self> {
        let NodeKind::Compute(compute) = &node.kind else { return None };
        let inferred = inferred(program, node, compute, step, elements)?;
        let names = compute.locals.iter().map(|local| local.name.clone()).collect();
        let elements = inferred.root.elements().into_iter().map(|(access, _)| access).collect();
        Some(Self { inferred, names, elements })
    }

    /// Looks at the indices; `None` where there is nothing to say: without an index nothing is touched.
    pub(super) fn look(&self, program: &Program, node: &Node, step: &ComputeStep) -> Option<Found> {
        let Self { inferred, names, elements } = self;
        let axes = &step.function.axes;
        if axes.iter().any(|axis| axis.count == 0) {
            return None;
        }
        let hosts: Vec<Option<i128>> = inferred.hosts.iter().map(|host| integer(*host, &step.values)).collect();
        let walk = Walk::over(&inferred.root, axes, &hosts, names);
        let mut findings = races(program, node, (inferred, elements), &walk);
        let inside: Vec<bool> = walk.uses.iter().map(|used| stays(program, node, used, &walk)).collect();
        let left = walk.uses.iter().zip(&inside).filter(|(_, inside)| !**inside).map(|(used, _)| used.access);
        let mut accesses = node.accesses.clone();
        for access in left {
            if elements.contains(&access) {
                // It is read at the start of its footprint.
                findings.push(internal_finding(node.place, "an element has another index than its access"));
            } else if let Some(access) = accesses.get_mut(access as usize) {
                widen(program, access);
            }
        }
        Some(Found { inside, accesses, findings })
    }
}

/// Of each index of a kernel in the block, in text order, whether it is not checked.
pub(super) fn unchecked(node: &Node) -> Vec<bool> {
    let NodeKind::Compute(compute) = &node.kind else { return Vec::new() };
    let mut found = Vec::new();
    Compute::clone(compute).indices_mut(&mut |_, index| found.push(index.proved));
    found
}

fn inferred(
    program: &Program,
    node: &Node,
    compute: &Compute,
    step: &ComputeStep,
    elements: &[ElementLayout],
) -> Option<InferredCompute> {
    let accesses = &node.accesses;
    let axes: Vec<ScalarType> = step.function.axes.iter().map(|axis| axis.scalar).collect();
    let same = |one: &Access, other: &Access| one.buffer == other.buffer && one.view == other.view;
    let first = |access: &Access| accesses.iter().position(|other| same(other, access)).unwrap_or(0);
    let buffers = Buffers {
        first: accesses.iter().map(|access| first(access) as u32).collect(),
        ranks: accesses.iter().map(|access| counted(program, access).shape.rank() as u8).collect(),
        ..Buffers::default()
    };
    let element = |access: u32| elements.get(accesses.get(access as usize)?.buffer.0 as usize)?.scalar;
    let host = |symbol| step.values.iter().find(|(name, _)| *name == symbol)?.1.layout.scalar;
    infer_compute(compute, &axes, &Types { element: &element, host: &host, mailbox: &|_| false }, buffers).ok()
}

/// The number of a host value, if it is an integer.
fn integer(symbol: SymbolId, values: &[(SymbolId, TypedValue)]) -> Option<i128> {
    let (_, value) = values.iter().find(|(name, _)| *name == symbol)?;
    let scalar = value.layout.scalar.filter(|scalar| facts::is_integer(*scalar))?;
    let bits = value.bytes.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    Some(number(scalar, bits))
}

/// The elements that a kernel's indices count.
fn counted(program: &Program, access: &Access) -> View {
    access.counted(program.buffer(access.buffer).shape)
}

/// Whether an index surely stays within the footprint of its access.
fn stays(program: &Program, node: &Node, used: &Use, walk: &Walk<'_>) -> bool {
    let Some(access) = node.accesses.get(used.access as usize) else { return false };
    let reached = |known: &Option<affine::Known>| known.as_ref()?.exactly(&walk.iterations);
    let reached: Option<Vec<_>> = used.coordinates.iter().map(reached).collect();
    let whole = program.buffer(access.buffer).shape;
    used.never || reached.is_some_and(|reached| view::covers(access, &whole, &reached))
}

/// The access may be of any element that its indices count.
fn widen(program: &Program, access: &mut Access) {
    let (buffer, view) = (program.buffer(access.buffer).shape, access.view);
    let any = view.map_or_else(|| Footprint::whole(buffer), |view| view::all(&view, &buffer));
    if access.footprint != any {
        access.footprint = any;
        access.ranged = view.is_some();
    }
    if access.mode == Mode::Overwrite {
        access.mode = Mode::Update;
    }
}

/// One report for each buffer.
fn races(
    program: &Program,
    node: &Node,
    (inferred, single): (&InferredCompute, &[u32]),
    walk: &Walk<'_>,
) -> Vec<Finding> {
    let axes = inferred.root.axes.len();
    // Parts of one buffer that go by different names have no element in common, if one of them is written: see CG0202.
    let same = |a: &Use, b: &Use| {
        let buffer = |used: &Use| inferred.root.buffers.get(used.access as usize);
        buffer(a) == buffer(b)
    };
    let fixed = elements(program, node, single);
    let mut findings: Vec<(Arc<str>, Finding)> = Vec::new();
    for store in walk.uses.iter().filter(|used| used.stores) {
        let Some(access) = node.accesses.get(store.access as usize) else { continue };
        let buffer = program.buffer(access.buffer);
        if findings.iter().any(|(name, _)| **name == *buffer.name) {
            continue;
        }
        let shape = counted(program, access).shape;
        let lengths: Vec<u64> = shape.sizes().iter().map(|size| size.known().unwrap_or(u64::MAX)).collect();
        let others = walk.uses.iter().chain(&fixed).filter(|other| !std::ptr::eq(store, *other) && same(store, other));
        let fault = |other: &Use| walk.fault([store, other], &lengths, axes).map(|fault| (fault, other.access));
        if let Some((fault, other)) = std::iter::once(store).chain(others).find_map(fault) {
            let report = Report { node, walk, store, name: &buffer.name };
            findings.push((buffer.name.as_str().into(), report.finding(fault, other)));
        }
    }
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// The elements that the host has chosen, as uses.
fn elements(program: &Program, node: &Node, single: &[u32]) -> Vec<Use> {
    let used = |access: u32| {
        let found = node.accesses.get(access as usize)?;
        let whole = program.buffer(found.buffer).shape;
        let at = view::element(&counted(program, found), &whole, &found.footprint);
        let known =
            |at: u64| affine::Known { affine: affine::Affine::constant(i128::from(at)), bits: affine::Known::EXACT };
        let coordinates = match at {
            Some(at) => at.into_iter().map(|at| Some(known(at))).collect(),
            None => vec![None; whole.rank()],
        };
        Some(Use { access, coordinates, stores: false, never: false })
    };
    single.iter().filter_map(|access| used(*access)).collect()
}

/// A race that is being reported.
struct Report<'r> {
    node: &'r Node,
    walk: &'r Walk<'r>,
    store: &'r Use,
    name: &'r str,
}

impl Report<'_> {
    fn finding(&self, fault: Fault, other: u32) -> Finding {
        let name = self.name;
        let [place, other_place] = [self.store.access, other].map(|access| self.node.accesses[access as usize].place);
        let message = if other == self.store.access {
            format!("several indices of this kernel may write one element of `{name}` at once")
        } else {
            format!("an element of `{name}` may be touched while another index of this kernel writes it")
        };
        let finding = Finding::error(Code::RACE, other_place, message);
        let finding = if place == other_place { finding } else { finding.note_at(place, "it is written here") };
        match fault {
            Fault::Unknown => finding.note("which element that is depends on data"),
            Fault::Wraps(dimension) => {
                finding.note(self.wraps(dimension)).help("compute the index in `usize`: `i as usize * 16`")
            }
            Fault::Meets => {
                finding.note(self.meets()).help(format!("give each index an element of `{name}` of its own"))
            }
        }
    }

    fn wraps(&self, dimension: usize) -> String {
        let known = self.store.coordinates.get(dimension).and_then(Option::as_ref);
        let Some(known) = known else { return "an index wraps around".to_owned() };
        let text = known.affine.text(&self.walk.iterations);
        let reached = known.affine.interval(&self.walk.iterations);
        let reached = reached.map_or_else(String::new, |(low, high)| format!(" from {low} to {high}"));
        format!("the index `{text}` runs{reached}, and is computed in {} bits, where it wraps around", known.bits)
    }

    /// ``the index is `2 * i + j`, for `i` from 0 to 4 and `j` from 0 to 2``
    fn meets(&self) -> String {
        let text = |known: &Option<affine::Known>| {
            known.as_ref().map_or_else(|| "?".to_owned(), |known| known.affine.text(&self.walk.iterations))
        };
        let coordinates: Vec<String> = self.store.coordinates.iter().map(text).collect();
        let index =
            if let [one] = coordinates.as_slice() { one.clone() } else { format!("({})", coordinates.join(", ")) };
        let runs = |iteration: &affine::Iteration| {
            format!("`{}` from {} to {}", iteration.name, iteration.first, iteration.last)
        };
        let runs: Vec<String> = self.walk.iterations.iter().map(runs).collect();
        format!("the index is `{index}`, for {}", runs.join(" and "))
    }
}
