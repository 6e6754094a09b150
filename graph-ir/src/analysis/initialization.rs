//! Definite initialisation: which reads may see elements that nobody wrote.
//!
//! The regions are walked as written. For each buffer three sets of elements are kept: those *definitely* written, on every path and
//! for all values of the expressions; those *hopefully* written, on every path for some values; and those that are written on any
//! path at all. A read of what is definitely written is proved; one of what cannot even hopefully be is refuted; else it is open.
//!
//! Of an `if` and a `match`, what all bodies write is written afterwards, if one of them always runs; of a `loop` what its first
//! pass writes, of a `while` nothing. A body starts with what was written before the loop, since its first pass does.
//! A transient of a body lives for one pass only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rustc_hash::FxHashSet;

use super::ranges::Ranges;
use crate::model::{
    Access, BufferId, Extent, Family, Footprint, LoopHead, Mode, Node, NodeId, NodeKind, Origin, Place, Program,
    RegionId, Shape,
};

/// An element of a buffer, by its index along each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    rank: usize,
    indices: [u64; Shape::MAX_RANK],
}

impl Element {
    /// From one to three indices, the outermost first.
    pub fn new(from: &[u64]) -> Self {
        let mut indices = [0; Shape::MAX_RANK];
        indices.iter_mut().zip(from).for_each(|(into, index)| *into = *index);
        Self { rank: from.len().min(Shape::MAX_RANK), indices }
    }
}

/// `3`, `(3, 0)`.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indices: Vec<_> = self.indices[..self.rank].iter().map(u64::to_string).collect();
        match &indices[..] {
            [index] => f.write_str(index),
            indices => write!(f, "({})", indices.join(", ")),
        }
    }
}

/// How much of what is needed has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// No write reaches it.
    Nothing,
    /// A write of some of it, or one that some paths do not take.
    Part {
        /// Whether all paths write some of it: then the ranges are at fault, not the paths.
        every_path: bool,
        /// The first element that may be missing, if that is known.
        element: Option<Element>,
    },
    /// Depends on values that are not known yet.
    Open,
}

/// A read of, or an end of the graph with, elements that may not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The buffer.
    pub buffer: BufferId,
    /// The node that reads; `None` for the end of the graph, where `&out` parameters must be written.
    pub reader: Option<NodeId>,
    /// The read, or the parameter's declaration.
    pub place: Place,
    /// The first write that reaches the place at least on some path.
    pub write: Option<(NodeId, Place)>,
    /// What is missing.
    pub lack: Lack,
}

/// All gaps, at most one that is certain and one that is open for each buffer.
pub fn initialization(program: &Program) -> Vec<Gap> {
    let mut walk = Walk::new(program);
    walk.region(RegionId::GRAPH);
    walk.outputs();
    walk.gaps
}

#[derive(Clone, Debug, Default)]
struct Written {
    definite: Ranges,
    hopeful: Ranges,
    anywhere: Ranges,
    first: Option<(NodeId, Place)>,
}

/// How the states after several bodies become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// The device decides, so only what all bodies write counts.
    Device,
    /// The host decides, so what one body writes can be hoped for.
    Host,
}

struct Walk<'p> {
    program: &'p Program,
    state: Vec<Written>,
    /// Per body being walked, the state before it of each buffer that it has written.
    saved: Vec<BTreeMap<BufferId, Written>>,
    certain: FxHashSet<BufferId>,
    open: FxHashSet<BufferId>,
    gaps: Vec<Gap>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        let start = |origin: Origin| match origin {
            Origin::Parameter(Mode::Read | Mode::Update | Mode::Atomic) | Origin::Static(_) => {
                let all = Ranges::everything();
                Written { definite: all.clone(), hopeful: all.clone(), anywhere: all, first: None }
            }
            Origin::Parameter(Mode::Overwrite) | Origin::Transient => Written::default(),
        };
        let state = program.buffers.iter().map(|buffer| start(buffer.origin)).collect();
        let (certain, open) = (FxHashSet::default(), FxHashSet::default());
        Self { program, state, saved: Vec::new(), certain, open, gaps: Vec::new() }
    }

    fn at(&mut self, buffer: BufferId) -> &mut Written {
        let written = &mut self.state[buffer.0 as usize];
        if let Some(frame) = self.saved.last_mut() {
            frame.entry(buffer).or_insert_with(|| written.clone());
        }
        written
    }

    fn region(&mut self, region: RegionId) {
        let program = self.program;
        for node in &program.region(region).nodes {
            self.node(*node, program.node(*node));
        }
    }

    fn node(&mut self, id: NodeId, node: &Node) {
        match &node.kind {
            NodeKind::Kernel(_)
            | NodeKind::Copy
            | NodeKind::Fill { .. }
            | NodeKind::Scalar { .. }
            | NodeKind::Compute(_)
            | NodeKind::Host(_)
            | NodeKind::Capture(_)
            | NodeKind::Graph(_)
            | NodeKind::Assert { .. } => {
                self.reads(id, node);
                self.writes(id, node);
            }
            NodeKind::Record(_) | NodeKind::Wait(_) => {}
            NodeKind::If { then, otherwise, .. } => {
                self.reads(id, node);
                self.branch(&[*then], *otherwise, Join::Device);
            }
            NodeKind::Match { arms, otherwise, .. } => {
                self.reads(id, node);
                let arms: Vec<_> = arms.iter().map(|arm| arm.body).collect();
                self.branch(&arms, *otherwise, Join::Device);
            }
            NodeKind::HostIf { then, otherwise, .. } => self.branch(&[*then], *otherwise, Join::Host),
            NodeKind::HostMatch { arms, .. } => self.choice(arms),
            NodeKind::Loop(head) => self.repeat(id, node, head),
            NodeKind::For { body, swapped } => self.passes(*body, swapped),
        }
    }

    fn reads(&mut self, id: NodeId, node: &Node) {
        for access in node.accesses.iter().filter(|access| access.mode.reads()) {
            self.read(id, access);
        }
    }

    fn writes(&mut self, id: NodeId, node: &Node) {
        for access in node.accesses.iter().filter(|access| access.mode.writes()) {
            let program = self.program;
            let written = self.at(program.family(access.buffer));
            if matches!(program.buffer(access.buffer).family, Family::Member { .. }) {
                written.hopeful = Ranges::everything();
                written.anywhere = Ranges::everything();
                written.first.get_or_insert((id, access.place));
                continue;
            }
            if node.optional {
                written.anywhere.insert(access.footprint);
                written.first.get_or_insert((id, access.place));
                continue;
            }
            written.definite.insert(access.footprint);
            written.hopeful.insert(access.footprint);
            written.anywhere.insert(access.footprint);
            written.first.get_or_insert((id, access.place));
        }
    }

    /// Runs a body and takes back what it wrote, which is returned.
    fn body(&mut self, region: RegionId, behind: impl FnOnce(&mut Self)) -> BTreeMap<BufferId, Written> {
        self.saved.push(BTreeMap::new());
        self.region(region);
        behind(self);
        let before = self.saved.pop().unwrap_or_default();
        let mut after = BTreeMap::new();
        for (buffer, old) in before {
            let new = std::mem::replace(&mut self.state[buffer.0 as usize], old);
            if self.program.buffer(buffer).region != region {
                after.insert(buffer, new);
            }
        }
        after
    }

    fn branch(&mut self, bodies: &[RegionId], otherwise: Option<RegionId>, join: Join) {
        let mut ends: Vec<_> = bodies.iter().chain(otherwise.iter()).map(|body| self.body(*body, |_| ())).collect();
        if otherwise.is_none() {
            ends.push(BTreeMap::new());
        }
        let touched: BTreeSet<_> = ends.iter().flat_map(|end| end.keys().copied()).collect();
        for buffer in touched {
            let before = self.at(buffer).clone();
            let mut states = ends.iter().map(|end| end.get(&buffer).unwrap_or(&before));
            let Some(first) = states.next().cloned() else { continue };
            *self.at(buffer) = states.fold(first, |joined, next| joined.join(next, join));
        }
    }

    /// A `match` of the host's: one arm runs.
    fn choice(&mut self, arms: &[RegionId]) {
        if let Some((last, others)) = arms.split_last() {
            self.branch(others, Some(*last), Join::Host);
        }
    }

    fn repeat(&mut self, id: NodeId, node: &Node, head: &LoopHead) {
        if head.tests_first {
            self.reads(id, node);
        }
        let end = self.body(head.body, |walk| {
            if !head.tests_first {
                walk.reads(id, node);
            }
        });
        let (surely, maybe) = match head.limit {
            _ if head.tests_first => (false, false),
            None => (true, true),
            Some(Extent::Known(limit)) => (limit > 0, limit > 0),
            Some(Extent::Symbol(_)) => (false, true),
        };
        for (buffer, after) in end {
            let written = self.at(buffer);
            written.anywhere.unite(&after.anywhere);
            written.first = written.first.or(after.first);
            if surely {
                written.definite = after.definite;
            }
            if maybe {
                written.hopeful = after.hopeful;
            }
        }
    }

    /// A `for` of the host's. Which elements one pass finds written by those before, and whether there is a pass at all, is decided
    /// when the graph is built.
    fn passes(&mut self, body: RegionId, swapped: &[(BufferId, BufferId)]) {
        let mut swapped = swapped.to_vec();
        swaps_in(self.program, body, &mut swapped);
        self.exchange(&swapped);
        let mut written = Vec::new();
        writes_in(self.program, body, &mut written);
        for (id, access) in written {
            let whole = Footprint::whole(self.program.buffer(access.buffer).shape);
            let state = self.at(self.program.family(access.buffer));
            state.hopeful.insert(whole);
            state.anywhere.insert(whole);
            state.first.get_or_insert((id, access.place));
        }
        self.body(body, |_| ());
        self.exchange(&swapped);
    }

    /// Each of these buffers may stand for any other.
    fn exchange(&mut self, swapped: &[(BufferId, BufferId)]) {
        let Some(mut joined) = swapped.first().map(|(buffer, _)| self.at(*buffer).clone()) else { return };
        for (buffer, _) in swapped {
            let state = self.at(*buffer).clone();
            joined = joined.join(&state, Join::Host);
        }
        for (buffer, _) in swapped {
            *self.at(*buffer) = joined.clone();
        }
    }

    fn read(&mut self, id: NodeId, access: &Access) {
        if self.state[self.program.family(access.buffer).0 as usize].definite.is_everything() {
            return;
        }
        let needed = within(access.footprint, &self.program.buffer(access.buffer).shape);
        self.need(access.buffer, needed, Some(id), access.place);
    }

    fn outputs(&mut self) {
        for buffer in self.program.buffer_ids() {
            let declared = self.program.buffer(buffer);
            if declared.origin == Origin::Parameter(Mode::Overwrite) {
                self.need(buffer, Footprint::whole(declared.shape), None, declared.place);
            }
        }
    }

    fn need(&mut self, buffer: BufferId, range: Footprint, reader: Option<NodeId>, place: Place) {
        let buffer = self.program.family(buffer);
        let written = &self.state[buffer.0 as usize];
        let Some(mut lack) = written.lack(&range) else { return };
        if matches!(lack, Lack::Part { .. }) && self.program.buffer(buffer).family == Family::List {
            // Which elements of which of its buffers are written is seen when the graph is built.
            lack = Lack::Open;
        }
        let gap = Gap { buffer, reader, place, write: written.first, lack };
        let is_new = if lack == Lack::Open { self.open.insert(buffer) } else { self.certain.insert(buffer) };
        if is_new && (lack != Lack::Open || !self.certain.contains(&buffer)) {
            self.gaps.push(gap);
        }
    }
}

/// The writes in a body and in the bodies inside, except to what lives in them.
fn writes_in<'p>(program: &'p Program, body: RegionId, found: &mut Vec<(NodeId, &'p Access)>) {
    let begin = found.len();
    for id in &program.region(body).nodes {
        let node = program.node(*id);
        found.extend(node.accesses.iter().filter(|access| access.mode.writes()).map(|access| (*id, access)));
        node.kind.bodies().into_iter().for_each(|inner| writes_in(program, inner, found));
    }
    let mut kept = begin;
    for at in begin..found.len() {
        if program.buffer(found[at].1.buffer).region != body {
            found.swap(kept, at);
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// What `for`s in a body swap.
fn swaps_in(program: &Program, body: RegionId, found: &mut Vec<(BufferId, BufferId)>) {
    for id in &program.region(body).nodes {
        let kind = &program.node(*id).kind;
        if let NodeKind::For { swapped, .. } = kind {
            found.extend_from_slice(swapped);
        }
        kind.bodies().into_iter().for_each(|inner| swaps_in(program, inner, found));
    }
}

/// Elements beyond the end are the business of another rule.
fn within(mut footprint: Footprint, shape: &Shape) -> Footprint {
    for (range, size) in footprint.ranges_mut().iter_mut().zip(shape.sizes()) {
        if let (Extent::Known(end), Extent::Known(size)) = (range.end, *size) {
            range.end = Extent::Known(end.min(size));
        }
    }
    footprint
}

impl Written {
    fn join(mut self, other: &Self, join: Join) -> Self {
        self.definite = self.definite.surely_common(&other.definite);
        match join {
            Join::Device => self.hopeful = self.hopeful.maybe_common(&other.hopeful),
            Join::Host => self.hopeful.unite(&other.hopeful),
        }
        self.anywhere.unite(&other.anywhere);
        self.first = self.first.or(other.first);
        self
    }

    fn lack(&self, range: &Footprint) -> Option<Lack> {
        if self.definite.covers(range) {
            return None;
        }
        if !self.anywhere.may_overlap(range) {
            return Some(Lack::Nothing);
        }
        if self.hopeful.may_cover(range) {
            return Some(Lack::Open);
        }
        let every_path = self.hopeful.may_overlap(range);
        let element = self.hopeful.first_missing(range).map(|indices| Element::new(&indices));
        Some(Lack::Part { every_path, element })
    }
}

#[cfg(test)]
mod tests;
