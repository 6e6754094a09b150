//! Sets of elements of one buffer, some of whose borders are expressions.

use std::collections::BTreeMap;

use crate::model::{Extent, Footprint, Verdict};

/// A union of ranges.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    /// Ranges between numbers: disjoint, not adjacent, by their start.
    numbers: BTreeMap<u64, u64>,
    /// The others, each once.
    symbolic: Vec<Footprint>,
}

fn numbers(footprint: Footprint) -> Option<(u64, u64)> {
    Some((footprint.start.known()?, footprint.end.known()?))
}

fn footprint((start, end): (&u64, &u64)) -> Footprint {
    Footprint { start: Extent::Known(*start), end: Extent::Known(*end) }
}

impl Ranges {
    /// Every element that there could be.
    pub(super) fn everything() -> Self {
        Self { numbers: BTreeMap::from([(0, u64::MAX)]), symbolic: Vec::new() }
    }

    fn has_everything(&self) -> bool {
        self.numbers.get(&0) == Some(&u64::MAX)
    }

    /// Adds a range.
    pub(super) fn insert(&mut self, range: Footprint) {
        match numbers(range) {
            Some((start, end)) if start < end => self.insert_numbers(start, end),
            Some(_) => {}
            None if self.symbolic.contains(&range) || self.has_everything() => {}
            None => self.symbolic.push(range),
        }
    }

    fn insert_numbers(&mut self, mut start: u64, mut end: u64) {
        if let Some((&first, &last)) = self.numbers.range(..start).next_back()
            && last >= start
        {
            (start, end) = (first, end.max(last));
        }
        while let Some((&first, &last)) = self.numbers.range(start..=end).next() {
            self.numbers.remove(&first);
            end = end.max(last);
        }
        self.numbers.insert(start, end);
    }

    /// Adds all ranges of another set.
    pub(super) fn unite(&mut self, other: &Self) {
        other.each().for_each(|range| self.insert(range));
    }

    fn each(&self) -> impl Iterator<Item = Footprint> {
        self.numbers.iter().map(footprint).chain(self.symbolic.iter().copied())
    }

    /// Whether every element of `range` is proved to be in the set.
    pub(super) fn covers(&self, range: Footprint) -> bool {
        let done = |at: Extent| range.end.at_most(at) == Verdict::Proved;
        if self.has_everything() || done(range.start) {
            return true;
        }
        // What is covered from the start on reaches to each position on the stack.
        let mut left = self.symbolic.clone();
        let mut reached = vec![range.start];
        while let Some(position) = reached.pop() {
            if done(position) {
                return true;
            }
            reached.extend(self.number_end(position).filter(|end| *end != position));
            left.retain(|next| {
                let joins = next.start.at_most(position) == Verdict::Proved;
                if joins {
                    reached.push(next.end);
                }
                !joins
            });
        }
        false
    }

    /// How far the ranges between numbers reach from a covered position on.
    fn number_end(&self, position: Extent) -> Option<Extent> {
        let (_, &end) = match position {
            Extent::Known(position) => self.numbers.range(..=position).next_back()?,
            Extent::Symbol(_) => self.numbers.get_key_value(&0)?,
        };
        position.known().is_none_or(|position| end > position).then_some(Extent::Known(end))
    }

    /// Whether some element of `range` may be in the set.
    pub(super) fn may_overlap(&self, range: Footprint) -> bool {
        let near = match numbers(range) {
            Some((start, end)) => {
                start < end && self.numbers.range(..end).next_back().is_some_and(|(_, last)| *last > start)
            }
            None => self.numbers.iter().map(footprint).any(|known| known.disjoint(range) != Verdict::Proved),
        };
        near || self.symbolic.iter().any(|known| known.disjoint(range) != Verdict::Proved)
    }

    /// Whether the set may have every element of `range`, for some values.
    pub(super) fn may_cover(&self, range: Footprint) -> bool {
        let open = numbers(range).is_none() || self.symbolic.iter().any(|r| r.disjoint(range) != Verdict::Proved);
        if open { self.may_overlap(range) } else { self.covers(range) }
    }

    /// The first element of `range` that is not in the set, if all borders are numbers.
    pub(super) fn first_missing(&self, range: Footprint) -> Option<u64> {
        let (start, end) = numbers(range)?;
        let at = self.number_end(Extent::Known(start)).and_then(Extent::known).unwrap_or(start);
        (self.symbolic.is_empty() && at < end).then_some(at)
    }

    fn common_numbers(&self, other: &Self) -> Self {
        let mut common = Self::default();
        for (&start, &end) in &self.numbers {
            let before = other.numbers.range(..start).next_back();
            for (&first, &last) in before.into_iter().chain(other.numbers.range(start..end)) {
                if first.max(start) < last.min(end) {
                    common.numbers.insert(first.max(start), last.min(end));
                }
            }
        }
        common
    }

    /// Elements that are proved to be in both.
    pub(super) fn surely_common(&self, other: &Self) -> Self {
        let mut common = self.common_numbers(other);
        self.each().filter(|range| other.covers(*range)).for_each(|range| common.insert(range));
        other.each().filter(|range| self.covers(*range)).for_each(|range| common.insert(range));
        common
    }

    /// At least the elements that may be in both.
    pub(super) fn maybe_common(&self, other: &Self) -> Self {
        let mut common = self.common_numbers(other);
        let mut keep = |from: &Self, against: &Self| {
            from.symbolic.iter().filter(|r| against.may_overlap(**r)).for_each(|range| common.insert(*range));
        };
        keep(self, other);
        keep(other, self);
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn known(start: u64, end: u64) -> Footprint {
        Footprint { start: Extent::Known(start), end: Extent::Known(end) }
    }

    fn set(ranges: &[Footprint]) -> Ranges {
        let mut set = Ranges::default();
        for range in ranges {
            set.insert(*range);
        }
        set
    }

    #[test]
    fn numbers_merge_and_intersect() {
        let a = set(&[known(0, 2), known(4, 6), known(2, 4), known(8, 9)]);
        assert!(a.covers(known(1, 6)) && !a.covers(known(1, 7)) && a.covers(known(7, 7)));
        assert_eq!(a.first_missing(known(5, 9)), Some(6));
        let b = set(&[known(3, 5), known(5, 20)]);
        let common = a.surely_common(&b);
        assert!(common.covers(known(3, 6)) && common.covers(known(8, 9)) && !common.may_overlap(known(6, 8)));
    }

    #[test]
    fn equal_expressions_chain() {
        let (k, n) = (Extent::Symbol(SymbolId(0)), Extent::Symbol(SymbolId(1)));
        let whole = Footprint::whole(n);
        let set = set(&[Footprint { start: k, end: n }, Footprint { start: Extent::ZERO, end: k }]);
        assert!(set.covers(whole));
        assert!(!set.covers(known(0, 4)) && set.may_cover(known(0, 4)));
        assert!(Ranges::everything().covers(whole));
    }

    #[test]
    fn a_number_before_an_expression_reaches_it_only_if_it_starts_below() {
        let k = Extent::Symbol(SymbolId(0));
        let tail = Footprint { start: Extent::Known(4), end: k };
        let set = set(&[known(0, 4), tail]);
        assert!(set.covers(Footprint::whole(k)));
        assert!(!set.covers(Footprint { start: Extent::ZERO, end: Extent::Known(5) }));
    }
}
