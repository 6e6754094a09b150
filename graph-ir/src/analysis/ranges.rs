//! Sets of elements of one buffer, some of whose borders are expressions.

use super::numbers::{Known, Numbers};
use crate::model::{Extent, Footprint, Range, Verdict};

/// A union of boxes of one number of dimensions.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    /// Every element that there could be.
    everything: bool,
    /// Boxes between numbers.
    numbers: Numbers,
    /// The others, each once.
    symbolic: Vec<Footprint>,
}

impl Ranges {
    /// Every element that there could be.
    pub(super) fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Whether it is [`Ranges::everything`].
    pub(super) fn is_everything(&self) -> bool {
        self.everything
    }

    /// Adds a box.
    pub(super) fn insert(&mut self, range: Footprint) {
        if self.everything {
            return;
        }
        match Known::of(&range) {
            Some(ranges) => self.numbers.insert(ranges.bounds()),
            None if self.symbolic.contains(&range) => {}
            None => self.symbolic.push(range),
        }
    }

    /// Adds all boxes of another set.
    pub(super) fn unite(&mut self, other: &Self) {
        self.everything |= other.everything;
        other.each().for_each(|range| self.insert(range));
    }

    fn each(&self) -> impl Iterator<Item = Footprint> {
        self.numbers.boxes().into_iter().chain(self.symbolic.iter().copied())
    }

    /// Whether every element of `range` is proved to be in the set.
    pub(super) fn covers(&self, range: &Footprint) -> bool {
        if self.everything || range.is_empty() == Verdict::Proved {
            return true;
        }
        let known = Known::of(range).is_some_and(|ranges| self.numbers.covers(ranges.bounds()));
        known || (!self.symbolic.is_empty() || Known::of(range).is_none()) && self.chains(range)
    }

    /// Whether boxes that cover all other dimensions of `range` form a chain along one.
    fn chains(&self, range: &Footprint) -> bool {
        if let [line] = range.ranges() {
            let symbolic = self.symbolic.iter().map(Footprint::outermost).collect();
            return reaches(*line, symbolic, |position| self.number_end(position));
        }
        let all: Vec<_> = self.each().collect();
        (0..range.ranges().len()).any(|axis| {
            let wide = all.iter().filter(|next| covers_others(next, range, axis));
            let along = wide.filter_map(|next| next.ranges().get(axis).copied()).collect();
            range.ranges().get(axis).is_some_and(|line| reaches(*line, along, |_| None))
        })
    }

    /// How far the numbers of one dimension reach from a covered position on.
    fn number_end(&self, position: Extent) -> Option<Extent> {
        let end = match position {
            Extent::Known(position) => self.numbers.end_at(position),
            Extent::Symbol(_) => self.numbers.end_at(0),
        };
        end.map(Extent::Known)
    }

    /// Whether some element of `range` may be in the set.
    pub(super) fn may_overlap(&self, range: &Footprint) -> bool {
        if self.everything {
            return range.is_empty() != Verdict::Proved;
        }
        let may = |known: &Footprint| known.disjoint(range) != Verdict::Proved;
        let near = match Known::of(range) {
            Some(ranges) => self.numbers.overlaps(ranges.bounds()),
            None => self.numbers.boxes().iter().any(may),
        };
        near || self.symbolic.iter().any(may)
    }

    /// Whether the set may have every element of `range`, for some values.
    pub(super) fn may_cover(&self, range: &Footprint) -> bool {
        let may = |known: &Footprint| known.disjoint(range) != Verdict::Proved;
        let open = Known::of(range).is_none() || self.symbolic.iter().any(may);
        if open { self.may_overlap(range) } else { self.covers(range) }
    }

    /// The first element of `range` that is not in the set, if all borders are numbers.
    pub(super) fn first_missing(&self, range: &Footprint) -> Option<Vec<u64>> {
        let ranges = Known::of(range)?;
        let known = !self.everything && self.symbolic.is_empty();
        known.then(|| self.numbers.first_missing(ranges.bounds())).flatten()
    }

    /// Elements that are proved to be in both.
    pub(super) fn surely_common(&self, other: &Self) -> Self {
        if let Some(common) = self.common_with_everything(other) {
            return common;
        }
        let mut common = Self { numbers: self.numbers.common(&other.numbers), ..Self::default() };
        self.symbolic.iter().filter(|range| other.covers(range)).for_each(|range| common.insert(*range));
        other.symbolic.iter().filter(|range| self.covers(range)).for_each(|range| common.insert(*range));
        if !(self.symbolic.is_empty() && other.symbolic.is_empty()) {
            self.numbers.boxes().iter().filter(|range| other.covers(range)).for_each(|range| common.insert(*range));
            other.numbers.boxes().iter().filter(|range| self.covers(range)).for_each(|range| common.insert(*range));
        }
        common
    }

    /// At least the elements that may be in both.
    pub(super) fn maybe_common(&self, other: &Self) -> Self {
        if let Some(common) = self.common_with_everything(other) {
            return common;
        }
        let mut common = Self { numbers: self.numbers.common(&other.numbers), ..Self::default() };
        let mut keep = |from: &Self, against: &Self| {
            from.symbolic.iter().filter(|range| against.may_overlap(range)).for_each(|range| common.insert(*range));
        };
        keep(self, other);
        keep(other, self);
        common
    }

    fn common_with_everything(&self, other: &Self) -> Option<Self> {
        match (self.everything, other.everything) {
            (true, _) => Some(other.clone()),
            (_, true) => Some(self.clone()),
            _ => None,
        }
    }
}

/// Whether a box covers a range in all dimensions but one.
fn covers_others(outer: &Footprint, range: &Footprint, but: usize) -> bool {
    let pairs = outer.ranges().iter().zip(range.ranges()).enumerate();
    pairs.filter(|(axis, _)| *axis != but).all(|(_, (outer, inner))| outer.covers(*inner))
}

/// Whether ranges form a chain over `range`; `jump` says how far others reach from a covered position on.
fn reaches(range: Range, mut left: Vec<Range>, jump: impl Fn(Extent) -> Option<Extent>) -> bool {
    // What is covered from the start on reaches to each position on the stack.
    let mut reached = vec![range.start];
    while let Some(position) = reached.pop() {
        if range.end.at_most(position) == Verdict::Proved {
            return true;
        }
        reached.extend(jump(position).filter(|end| *end != position));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn known(start: u64, end: u64) -> Footprint {
        Range::known(start, end).into()
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
        assert!(a.covers(&known(1, 6)) && !a.covers(&known(1, 7)) && a.covers(&known(7, 7)));
        assert_eq!(a.first_missing(&known(5, 9)), Some(vec![6]));
        let b = set(&[known(3, 5), known(5, 20)]);
        let common = a.surely_common(&b);
        assert!(common.covers(&known(3, 6)) && common.covers(&known(8, 9)) && !common.may_overlap(&known(6, 8)));
    }

    #[test]
    fn equal_expressions_chain() {
        let (k, n) = (Extent::Symbol(SymbolId(0)), Extent::Symbol(SymbolId(1)));
        let whole = Footprint::whole(n);
        let set = set(&[Footprint::line(k, n), Footprint::whole(k)]);
        assert!(set.covers(&whole));
        assert!(!set.covers(&known(0, 4)) && set.may_cover(&known(0, 4)));
        assert!(Ranges::everything().covers(&whole));
    }

    #[test]
    fn a_number_before_an_expression_reaches_it_only_if_it_starts_below() {
        let k = Extent::Symbol(SymbolId(0));
        let tail = Footprint::line(Extent::Known(4), k);
        let set = set(&[known(0, 4), tail]);
        assert!(set.covers(&Footprint::whole(k)));
        assert!(!set.covers(&known(0, 5)));
    }

    #[test]
    fn boxes_chain_along_a_dimension_in_which_they_are_alike() {
        let [k, h, w] = [0, 1, 2].map(|index| Extent::Symbol(SymbolId(index)));
        let rows = |start, end| Footprint::new(&[Range { start, end }, Range::whole(w)]);
        let whole = Footprint::new(&[Range::whole(h), Range::whole(w)]);
        let halves = set(&[rows(k, h), rows(Extent::ZERO, k)]);
        assert!(halves.covers(&whole) && halves.covers(&Footprint::new(&[Range::whole(h), Range::known(0, 0)])));
        let tile = Footprint::new(&[Range::whole(k), Range::whole(k)]);
        assert!(!set(&[rows(k, h), tile]).covers(&whole) && set(&[rows(k, h), tile]).may_cover(&whole));
    }
}
