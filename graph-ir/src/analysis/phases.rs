//! Who must be waited for, per element of a buffer.
//!
//! The accesses to one element, in text order, fall into *phases*: runs of reads, runs of atomic updates, single writes. Members of
//! one phase are free among themselves; each member waits for every member of the phase before, and through it for all earlier
//! ones. So two phases per element are all that has to be kept, and the edges found have the same transitive closure as all
//! conflicting pairs.
//!
//! Elements with the same history are kept together: as disjoint intervals where the ends are numbers ([`Intervals`], logarithmic
//! per access; of two and three dimensions nested, the outermost outside), and as a list of footprints where a start is an
//! expression ([`Cells`], linear in the number of different footprints).

use std::collections::BTreeMap;

use crate::model::{Access, Footprint, Mode, NodeId, Place, Range, Shape, Verdict};

/// One access that a later one may have to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: NodeId,
    pub(super) mode: Mode,
    pub(super) place: Place,
}

/// The last two phases of some elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    previous: Vec<Entry>,
    current: Vec<Entry>,
}

/// What is kept of some elements; the ranges are those of the dimensions inside.
pub(super) trait Part: Clone {
    /// These elements after their first access.
    fn first(inner: &[Numbers], entry: Entry) -> Self;

    /// Calls `wait` for each access that one with `mode` must follow.
    fn conflicts(&self, inner: &[Numbers], mode: Mode, wait: &mut impl FnMut(Entry));

    /// Appends an access.
    fn add(&mut self, inner: &[Numbers], entry: Entry);

    /// Forgets what was before an access that writes all of these elements.
    fn restart(&mut self, inner: &[Numbers], entry: Entry);

    /// Whether the ranges hold everything that is kept.
    fn is_within(&self, inner: &[Numbers]) -> bool;
}

impl Part for Phases {
    fn first(_: &[Numbers], entry: Entry) -> Self {
        Self { previous: Vec::new(), current: vec![entry] }
    }

    fn conflicts(&self, _: &[Numbers], mode: Mode, wait: &mut impl FnMut(Entry)) {
        let joins = self.current.first().is_some_and(|entry| !entry.mode.conflicts_with(mode));
        let phase = if joins { &self.previous } else { &self.current };
        phase.iter().copied().for_each(wait);
    }

    fn add(&mut self, _: &[Numbers], entry: Entry) {
        let joins = self.current.first().is_none_or(|first| !first.mode.conflicts_with(entry.mode));
        if !joins {
            std::mem::swap(&mut self.previous, &mut self.current);
            self.current.clear();
        }
        self.current.push(entry);
    }

    fn restart(&mut self, _: &[Numbers], entry: Entry) {
        self.previous.clear();
        self.current.clear();
        self.current.push(entry);
    }

    fn is_within(&self, _: &[Numbers]) -> bool {
        true
    }
}

/// The history of one buffer.
#[derive(Debug)]
pub(super) enum History {
    /// No footprint starts at an expression; one dimension.
    Line(Intervals<Phases>),
    /// Two dimensions.
    Plane(Intervals<Intervals<Phases>>),
    /// Three dimensions.
    Space(Intervals<Intervals<Intervals<Phases>>>),
    /// Some start at expressions.
    Cells(Cells),
}

impl History {
    /// A history for a buffer of this shape whose footprints all start at numbers, or not.
    pub(super) fn new(shape: &Shape, numbers: bool) -> Self {
        match (numbers, shape.rank()) {
            (false, _) => Self::Cells(Cells::default()),
            (true, 1) => Self::Line(Intervals::default()),
            (true, 2) => Self::Plane(Intervals::default()),
            (true, _) => Self::Space(Intervals::default()),
        }
    }

    /// Calls `wait` for each earlier access that this one must follow.
    pub(super) fn conflicts(&self, access: &Access, mut wait: impl FnMut(Entry)) {
        let (mode, wait) = (access.mode, &mut wait);
        match (self, numbers(&access.footprint)) {
            (Self::Cells(cells), _) => cells.conflicts(access, wait),
            (Self::Line(parts), Some(range)) => parts.conflicts(&range[..1], mode, wait),
            (Self::Plane(parts), Some(range)) => parts.conflicts(&range[..2], mode, wait),
            (Self::Space(parts), Some(range)) => parts.conflicts(&range, mode, wait),
            (_, None) => {}
        }
    }

    /// Appends the access of a node.
    pub(super) fn add(&mut self, node: NodeId, access: &Access) {
        let entry = Entry { node, mode: access.mode, place: access.place };
        match (self, numbers(&access.footprint)) {
            (Self::Cells(cells), _) => cells.add(&access.footprint, entry),
            (Self::Line(parts), Some(range)) => parts.add(&range[..1], entry),
            (Self::Plane(parts), Some(range)) => parts.add(&range[..2], entry),
            (Self::Space(parts), Some(range)) => parts.add(&range, entry),
            (_, None) => {}
        }
    }
}

/// `start..end`, not empty.
pub(super) type Numbers = (u64, u64);

/// The ranges of a footprint that starts at numbers; an end that is an expression lies beyond every number. A dimension that the
/// footprint does not have is all there could be. Nothing if it has no element.
fn numbers(footprint: &Footprint) -> Option<[Numbers; Shape::MAX_RANK]> {
    let mut all = [(0, u64::MAX); Shape::MAX_RANK];
    for (into, range) in all.iter_mut().zip(footprint.ranges()) {
        *into = range_numbers(*range).filter(|(start, end)| start < end)?;
    }
    Some(all)
}

fn range_numbers(range: Range) -> Option<Numbers> {
    Some((range.start.known()?, range.end.known().unwrap_or(u64::MAX)))
}

/// Disjoint intervals along one dimension by their start.
#[derive(Clone, Debug)]
pub(super) struct Intervals<P> {
    parts: BTreeMap<u64, (u64, P)>,
}

impl<P> Default for Intervals<P> {
    fn default() -> Self {
        Self { parts: BTreeMap::new() }
    }
}

impl<P: Part> Part for Intervals<P> {
    fn first(inner: &[Numbers], entry: Entry) -> Self {
        let (start, end, inner) = split(inner);
        Self { parts: BTreeMap::from([(start, (end, P::first(inner, entry)))]) }
    }

    fn conflicts(&self, ranges: &[Numbers], mode: Mode, wait: &mut impl FnMut(Entry)) {
        let (start, end, inner) = split(ranges);
        if let Some((_, part)) = self.parts.get(&start).filter(|(last, _)| *last == end) {
            return part.conflicts(inner, mode, wait);
        }
        let before = self.parts.range(..start).next_back().filter(|(_, (last, _))| *last > start);
        for (_, (_, part)) in before.into_iter().chain(self.parts.range(start..end)) {
            part.conflicts(inner, mode, wait);
        }
    }

    fn add(&mut self, ranges: &[Numbers], entry: Entry) {
        let (start, end, inner) = split(ranges);
        let writes = matches!(entry.mode, Mode::Update | Mode::Overwrite);
        if let Some((_, part)) = self.parts.get_mut(&start).filter(|(last, _)| *last == end) {
            return if writes && part.is_within(inner) { part.restart(inner, entry) } else { part.add(inner, entry) };
        }
        self.border(start);
        self.border(end);
        if writes && self.parts.range(start..end).all(|(_, (_, part))| part.is_within(inner)) {
            self.replace(start, end, P::first(inner, entry));
            return;
        }
        let mut from = start;
        let mut gaps = Vec::new();
        for (&at, (last, part)) in self.parts.range_mut(start..end) {
            if at > from {
                gaps.push((from, at));
            }
            part.add(inner, entry);
            from = *last;
        }
        if from < end {
            gaps.push((from, end));
        }
        for (first, last) in gaps {
            self.parts.insert(first, (last, P::first(inner, entry)));
        }
    }

    fn restart(&mut self, inner: &[Numbers], entry: Entry) {
        *self = Self::first(inner, entry);
    }

    fn is_within(&self, ranges: &[Numbers]) -> bool {
        let (start, end, inner) = split(ranges);
        let within = |(at, (last, part)): (&u64, &(u64, P))| start <= *at && *last <= end && part.is_within(inner);
        self.parts.iter().all(within)
    }
}

/// The range along this dimension, and those inside.
fn split(ranges: &[Numbers]) -> (u64, u64, &[Numbers]) {
    match ranges {
        [(start, end), inner @ ..] => (*start, *end, inner),
        [] => (0, u64::MAX, ranges),
    }
}

impl<P: Part> Intervals<P> {
    /// Makes `at` a border between parts.
    fn border(&mut self, at: u64) {
        let Some((&start, (end, part))) = self.parts.range_mut(..at).next_back() else { return };
        if *end > at {
            let right = (*end, part.clone());
            *end = at;
            debug_assert!(start < at);
            self.parts.insert(at, right);
        }
    }

    /// After a write nothing older matters: its range is one part again.
    fn replace(&mut self, start: u64, end: u64, part: P) {
        while let Some((&at, _)) = self.parts.range(start..end).next() {
            self.parts.remove(&at);
        }
        self.parts.insert(start, (end, part));
    }
}

/// Histories by footprint; different footprints may overlap.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: Vec<(Footprint, Phases)>,
}

impl Cells {
    fn conflicts(&self, access: &Access, wait: &mut impl FnMut(Entry)) {
        for (footprint, phases) in &self.cells {
            if footprint.disjoint(&access.footprint) != Verdict::Proved {
                phases.conflicts(&[], access.mode, wait);
            }
        }
    }

    fn add(&mut self, footprint: &Footprint, entry: Entry) {
        if footprint.is_empty() == Verdict::Proved {
            return;
        }
        if matches!(entry.mode, Mode::Update | Mode::Overwrite) {
            self.cells.retain(|(older, _)| !footprint.covers(older));
        }
        match self.cells.iter_mut().find(|(known, _)| known == footprint) {
            Some((_, phases)) => phases.add(&[], entry),
            None => self.cells.push((*footprint, Phases::first(&[], entry))),
        }
    }
}
