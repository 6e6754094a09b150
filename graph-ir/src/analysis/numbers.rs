//! Sets of boxes between numbers.

use std::collections::BTreeMap;

use crate::model::{Footprint, Range, Shape};

/// A set of elements in one to three dimensions: along the outermost, disjoint intervals by their start, each with the set of what
/// is inside. Neighbours differ, so equal sets of one dimension look equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    parts: BTreeMap<u64, (u64, Inside)>,
}

/// What is inside an interval: everything in the last dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Inside {
    All,
    Set(Numbers),
}

/// Ranges along the dimensions, the outermost first.
pub(crate) type Bounds<'a> = &'a [(u64, u64)];

/// The ranges of a footprint whose borders are numbers.
pub(crate) struct Known {
    ranges: [(u64, u64); Shape::MAX_RANK],
    rank: usize,
}

impl Known {
    /// Nothing if a border is an expression.
    pub(crate) fn of(footprint: &Footprint) -> Option<Self> {
        let mut known = Self { ranges: [(0, 0); Shape::MAX_RANK], rank: footprint.ranges().len() };
        for (into, range) in known.ranges.iter_mut().zip(footprint.ranges()) {
            *into = range.numbers()?;
        }
        Some(known)
    }

    /// The ranges.
    pub(crate) fn bounds(&self) -> Bounds<'_> {
        &self.ranges[..self.rank]
    }
}

/// Whether a box has no element.
pub(crate) fn is_empty(ranges: Bounds<'_>) -> bool {
    ranges.iter().any(|(start, end)| start >= end)
}

impl Inside {
    fn of(ranges: Bounds<'_>) -> Self {
        if ranges.is_empty() {
            return Self::All;
        }
        let mut set = Numbers::default();
        set.insert(ranges);
        Self::Set(set)
    }

    fn insert(&mut self, ranges: Bounds<'_>) {
        if let Self::Set(set) = self {
            set.insert(ranges);
        }
    }

    fn remove(&mut self, ranges: Bounds<'_>) {
        if let Self::Set(set) = self {
            set.remove(ranges);
        }
    }

    fn missing(&self, ranges: Bounds<'_>) -> Option<Vec<u64>> {
        match self {
            Self::All => None,
            Self::Set(set) => set.first_missing(ranges),
        }
    }

    fn overlaps(&self, ranges: Bounds<'_>) -> bool {
        match self {
            Self::All => true,
            Self::Set(set) => set.overlaps(ranges),
        }
    }

    fn common(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Set(one), Self::Set(two)) => Self::Set(one.common(two)),
            (Self::All, other) | (other, Self::All) => other.clone(),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Set(set) if set.parts.is_empty())
    }
}

impl Numbers {
    /// Adds a box.
    pub(crate) fn insert(&mut self, ranges: Bounds<'_>) {
        let Some((&(start, end), inner)) = ranges.split_first() else { return };
        if is_empty(ranges) {
            return;
        }
        if inner.is_empty() {
            return self.insert_line(start, end);
        }
        self.border(start);
        self.border(end);
        let mut from = start;
        let mut gaps = Vec::new();
        for (&at, (last, inside)) in self.parts.range_mut(start..end) {
            if at > from {
                gaps.push((from, at));
            }
            inside.insert(inner);
            from = *last;
        }
        if from < end {
            gaps.push((from, end));
        }
        for (first, last) in gaps {
            self.parts.insert(first, (last, Inside::of(inner)));
        }
        self.join(start, end);
    }

    fn insert_line(&mut self, mut start: u64, mut end: u64) {
        if self.parts.range(..=start).next_back().is_some_and(|(_, (last, _))| *last >= end) {
            return;
        }
        if let Some((&first, (last, _))) = self.parts.range(..start).next_back()
            && *last >= start
        {
            (start, end) = (first, end.max(*last));
        }
        while let Some((&first, (last, _))) = self.parts.range(start..=end).next() {
            end = end.max(*last);
            self.parts.remove(&first);
        }
        self.parts.insert(start, (end, Inside::All));
    }

    /// Takes out a box.
    pub(crate) fn remove(&mut self, ranges: Bounds<'_>) {
        let Some((&(start, end), inner)) = ranges.split_first() else { return };
        if is_empty(ranges) {
            return;
        }
        self.border(start);
        self.border(end);
        let within: Vec<u64> = self.parts.range(start..end).map(|(first, _)| *first).collect();
        for first in within {
            let Some((_, inside)) = self.parts.get_mut(&first) else { continue };
            inside.remove(inner);
            if inner.is_empty() || inside.is_empty() {
                self.parts.remove(&first);
            }
        }
        self.join(start, end);
    }

    /// Adds all elements of another set.
    pub(crate) fn unite(&mut self, other: &Self) {
        if self.parts.is_empty() {
            self.clone_from(other);
            return;
        }
        for part in other.boxes() {
            if let Some(known) = Known::of(&part) {
                self.insert(known.bounds());
            }
        }
    }

    /// Makes `at` a border between parts.
    fn border(&mut self, at: u64) {
        let Some((_, (end, inside))) = self.parts.range_mut(..at).next_back() else { return };
        if *end > at {
            let right = (*end, inside.clone());
            *end = at;
            self.parts.insert(at, right);
        }
    }

    /// Joins neighbours that have the same inside, from the part before `start` to the one behind `end`.
    fn join(&mut self, start: u64, end: u64) {
        let from = self.parts.range(..start).next_back().map_or(start, |(first, _)| *first);
        let near: Vec<u64> = self.parts.range(from..=end).map(|(first, _)| *first).collect();
        let mut left = from;
        for &right in near.iter().skip(1) {
            let joins = match (self.parts.get(&left), self.parts.get(&right)) {
                (Some((last, one)), Some((_, two))) => *last == right && one == two,
                _ => false,
            };
            if !joins {
                left = right;
            } else if let Some((last, _)) = self.parts.remove(&right)
                && let Some(part) = self.parts.get_mut(&left)
            {
                part.0 = last;
            }
        }
    }

    /// The parts that have indices in `start..end`.
    fn near(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, u64, &Inside)> {
        let before = self.parts.range(..start).next_back().filter(|(_, (last, _))| *last > start);
        let parts = before.into_iter().chain(self.parts.range(start..end.max(start)));
        parts.map(|(first, (last, inside))| (*first, *last, inside))
    }

    /// Whether every element of the box is in the set.
    pub(crate) fn covers(&self, ranges: Bounds<'_>) -> bool {
        self.first_missing(ranges).is_none()
    }

    /// The first element of the box, in row-major order of the parts, that is not in the set.
    pub(crate) fn first_missing(&self, ranges: Bounds<'_>) -> Option<Vec<u64>> {
        let (&(start, end), inner) = ranges.split_first()?;
        if is_empty(ranges) {
            return None;
        }
        let at = |outer: u64, rest: Vec<u64>| std::iter::once(outer).chain(rest).collect();
        let first = |outer: u64| at(outer, inner.iter().map(|(start, _)| *start).collect());
        let mut reached = start;
        for (begin, last, inside) in self.near(start, end) {
            if begin > reached {
                return Some(first(reached));
            }
            if let Some(rest) = inside.missing(inner) {
                return Some(at(reached, rest));
            }
            reached = last;
        }
        (reached < end).then(|| first(reached))
    }

    /// Whether some element of the box is in the set.
    pub(crate) fn overlaps(&self, ranges: Bounds<'_>) -> bool {
        let Some((&(start, end), inner)) = ranges.split_first() else { return true };
        !is_empty(ranges) && self.near(start, end).any(|(_, _, inside)| inside.overlaps(inner))
    }

    /// The elements that are in both.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let mut common = Self::default();
        for (&start, (end, inside)) in &self.parts {
            for (first, last, others) in other.near(start, *end) {
                let both = inside.common(others);
                if !both.is_empty() {
                    common.parts.insert(first.max(start), (last.min(*end), both));
                }
            }
        }
        common.join(0, u64::MAX);
        common
    }

    /// Disjoint boxes that make up the set.
    pub(crate) fn boxes(&self) -> Vec<Footprint> {
        let mut all = Vec::new();
        self.collect(&mut Vec::new(), &mut all);
        all
    }

    fn collect(&self, outer: &mut Vec<Range>, all: &mut Vec<Footprint>) {
        for (start, (end, inside)) in &self.parts {
            outer.push(Range::known(*start, *end));
            match inside {
                Inside::All => all.push(Footprint::new(outer)),
                Inside::Set(set) => set.collect(outer, all),
            }
            outer.pop();
        }
    }

    /// How far the set reaches along its only dimension: the end of the part that has `position`, or that ends there.
    pub(crate) fn end_at(&self, position: u64) -> Option<u64> {
        self.parts.range(..=position).next_back().map(|(_, (end, _))| *end).filter(|end| *end > position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(boxes: &[Bounds<'_>]) -> Numbers {
        let mut set = Numbers::default();
        for ranges in boxes {
            set.insert(ranges);
        }
        set
    }

    #[test]
    fn four_quarters_are_a_whole_and_three_are_not() {
        let quarters: [Bounds<'_>; 4] = [&[(0, 2), (0, 3)], &[(2, 4), (3, 6)], &[(0, 2), (3, 6)], &[(2, 4), (0, 3)]];
        let whole = set(&quarters);
        assert!(whole.covers(&[(0, 4), (0, 6)]) && !whole.covers(&[(0, 4), (0, 7)]));
        assert_eq!(whole.boxes().len(), 1, "they join");
        let three = set(&quarters[..3]);
        assert_eq!(three.first_missing(&[(0, 4), (0, 6)]), Some(vec![2, 0]));
        assert!(three.covers(&[(0, 4), (3, 6)]) && !three.overlaps(&[(2, 4), (0, 3)]));
    }

    #[test]
    fn what_two_crossing_bands_have_in_common_is_where_they_cross() {
        let rows = set(&[&[(2, 3), (0, 9), (0, 9)]]);
        let columns = set(&[&[(0, 9), (4, 6), (1, 5)]]);
        let common = rows.common(&columns);
        assert!(common.covers(&[(2, 3), (4, 6), (1, 5)]));
        assert_eq!(common.boxes().len(), 1);
        assert!(!common.overlaps(&[(3, 9), (0, 9), (0, 9)]));
    }

    #[test]
    fn what_is_taken_out_leaves_a_frame() {
        let mut frame = set(&[&[(0, 4), (0, 6)]]);
        frame.remove(&[(1, 3), (2, 4)]);
        assert!(
            !frame.overlaps(&[(1, 3), (2, 4)]) && frame.covers(&[(0, 1), (0, 6)]) && frame.covers(&[(1, 3), (4, 6)])
        );
        frame.remove(&[(0, 4), (0, 2)]);
        frame.remove(&[(0, 4), (4, 6)]);
        assert_eq!(frame, set(&[&[(0, 1), (2, 4)], &[(3, 4), (2, 4)]]));
        frame.insert(&[(1, 3), (2, 4)]);
        assert_eq!(frame.boxes().len(), 1, "they join");
    }

    proptest::proptest! {
        #[test]
        fn sets_have_the_elements_that_one_by_one_are_left(
            steps in proptest::collection::vec((proptest::bool::ANY, proptest::array::uniform4(0..5_u64)), 0..8),
            other in proptest::array::uniform4(0..5_u64),
        ) {
            let bounds = |[a, b, c, d]: [u64; 4]| [(a.min(b), a.max(b)), (c.min(d), c.max(d))];
            let inside = |at: (u64, u64), [rows, columns]: [(u64, u64); 2]| {
                (rows.0..rows.1).contains(&at.0) && (columns.0..columns.1).contains(&at.1)
            };
            let mut found = Numbers::default();
            let mut expected = std::collections::BTreeSet::new();
            let all = || (0..5).flat_map(|row| (0..5).map(move |column| (row, column)));
            for (adds, corners) in steps {
                let ranges = bounds(corners);
                if adds {
                    found.insert(&ranges);
                    expected.extend(all().filter(|at| inside(*at, ranges)));
                } else {
                    found.remove(&ranges);
                    expected.retain(|at| !inside(*at, ranges));
                }
            }
            let has = |set: &Numbers, at: (u64, u64)| set.covers(&[(at.0, at.0 + 1), (at.1, at.1 + 1)]);
            proptest::prop_assert!(all().all(|at| has(&found, at) == expected.contains(&at)));
            let mut united = found;
            let more = bounds(other);
            united.unite(&set(&[&more]));
            proptest::prop_assert!(all().all(|at| has(&united, at) == (expected.contains(&at) || inside(at, more))));
        }
    }
}
