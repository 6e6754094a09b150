//! Who must be waited for, per element of a buffer.
//!
//! The accesses to one element, in text order, fall into *phases*: runs of reads, runs of atomic updates, single writes. Members of
//! one phase are free among themselves; each member waits for every member of the phase before, and through it for all earlier
//! ones. So two phases per element are all that has to be kept, and the edges found have the same transitive closure as all
//! conflicting pairs.
//!
//! Elements with the same history are kept together: as disjoint intervals where the ends are numbers ([`Intervals`], logarithmic
//! per access), and as a list of footprints where a start is an expression ([`Cells`], linear in the number of different ranges).

use std::collections::BTreeMap;

use crate::model::{Access, Extent, Footprint, Mode, NodeId, Place, Verdict};

/// One access that a later one may have to wait for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: NodeId,
    pub(super) mode: Mode,
    pub(super) place: Place,
}

#[derive(Clone, Debug, Default)]
struct Phases {
    previous: Vec<Entry>,
    current: Vec<Entry>,
}

impl Phases {
    /// Calls `wait` for each access that one with `mode` must follow.
    fn conflicts(&self, mode: Mode, wait: &mut impl FnMut(Entry)) {
        let joins = self.current.first().is_some_and(|entry| !entry.mode.conflicts_with(mode));
        let phase = if joins { &self.previous } else { &self.current };
        phase.iter().copied().for_each(wait);
    }

    fn add(&mut self, entry: Entry) {
        let joins = self.current.first().is_none_or(|first| !first.mode.conflicts_with(entry.mode));
        if !joins {
            self.previous = std::mem::take(&mut self.current);
        }
        self.current.push(entry);
    }
}

/// The history of one buffer.
#[derive(Debug)]
pub(super) enum History {
    /// No footprint starts at an expression.
    Intervals(Intervals),
    /// Some do.
    Cells(Cells),
}

impl History {
    /// A history for a buffer whose footprints all start at numbers, or not.
    pub(super) fn new(numbers: bool) -> Self {
        if numbers { Self::Intervals(Intervals::default()) } else { Self::Cells(Cells::default()) }
    }

    /// Calls `wait` for each earlier access that this one must follow.
    pub(super) fn conflicts(&self, access: &Access, mut wait: impl FnMut(Entry)) {
        match self {
            Self::Intervals(intervals) => intervals.conflicts(access, &mut wait),
            Self::Cells(cells) => cells.conflicts(access, &mut wait),
        }
    }

    /// Appends the access of a node.
    pub(super) fn add(&mut self, node: NodeId, access: &Access) {
        let entry = Entry { node, mode: access.mode, place: access.place };
        match self {
            Self::Intervals(intervals) => intervals.add(access.footprint, entry),
            Self::Cells(cells) => cells.add(access.footprint, entry),
        }
    }
}

/// Disjoint intervals by their start.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    parts: BTreeMap<u64, (u64, Phases)>,
}

/// The numbers of a footprint that starts at one; an end that is an expression lies beyond every number.
fn numbers(footprint: Footprint) -> Option<(u64, u64)> {
    let start = footprint.start.known()?;
    let end = footprint.end.known().unwrap_or(u64::MAX);
    (start < end).then_some((start, end))
}

impl Intervals {
    fn conflicts(&self, access: &Access, wait: &mut impl FnMut(Entry)) {
        let Some((start, end)) = numbers(access.footprint) else { return };
        let before = self.parts.range(..start).next_back().filter(|(_, (last, _))| *last > start);
        for (_, (_, phases)) in before.into_iter().chain(self.parts.range(start..end)) {
            phases.conflicts(access.mode, wait);
        }
    }

    /// Makes `at` a border between parts.
    fn split(&mut self, at: u64) {
        let Some((&start, (end, phases))) = self.parts.range_mut(..at).next_back() else { return };
        if *end > at {
            let right = (*end, phases.clone());
            *end = at;
            debug_assert!(start < at);
            self.parts.insert(at, right);
        }
    }

    fn add(&mut self, footprint: Footprint, entry: Entry) {
        let Some((start, end)) = numbers(footprint) else { return };
        self.split(start);
        self.split(end);
        if matches!(entry.mode, Mode::Update | Mode::Overwrite) {
            self.replace(start, end, entry);
            return;
        }
        let mut from = start;
        let mut gaps = Vec::new();
        for (&part, (last, phases)) in self.parts.range_mut(start..end) {
            if part > from {
                gaps.push((from, part));
            }
            phases.add(entry);
            from = *last;
        }
        if from < end {
            gaps.push((from, end));
        }
        for (first, last) in gaps {
            self.parts.insert(first, (last, Phases { previous: Vec::new(), current: vec![entry] }));
        }
    }

    /// After a write nothing older matters: its range is one part again.
    fn replace(&mut self, start: u64, end: u64, entry: Entry) {
        while let Some((&part, _)) = self.parts.range(start..end).next() {
            self.parts.remove(&part);
        }
        self.parts.insert(start, (end, Phases { previous: Vec::new(), current: vec![entry] }));
    }
}

/// Histories by footprint; different footprints may overlap.
#[derive(Debug, Default)]
pub(super) struct Cells {
    cells: Vec<(Footprint, Phases)>,
}

fn covers(outer: Footprint, inner: Footprint) -> bool {
    let proved = |smaller: Extent, larger: Extent| smaller.at_most(larger) == Verdict::Proved;
    proved(outer.start, inner.start) && proved(inner.end, outer.end)
}

impl Cells {
    fn conflicts(&self, access: &Access, wait: &mut impl FnMut(Entry)) {
        for (footprint, phases) in &self.cells {
            if footprint.disjoint(access.footprint) != Verdict::Proved {
                phases.conflicts(access.mode, wait);
            }
        }
    }

    fn add(&mut self, footprint: Footprint, entry: Entry) {
        if footprint.disjoint(footprint) == Verdict::Proved {
            return;
        }
        if matches!(entry.mode, Mode::Update | Mode::Overwrite) {
            self.cells.retain(|(older, _)| !covers(footprint, *older));
        }
        match self.cells.iter_mut().find(|(known, _)| *known == footprint) {
            Some((_, phases)) => phases.add(entry),
            None => self.cells.push((footprint, Phases { previous: Vec::new(), current: vec![entry] })),
        }
    }
}
