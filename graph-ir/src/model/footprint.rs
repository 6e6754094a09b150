//! Boxes: which elements of a buffer an access may touch.

use serde::{Deserialize, Serialize};

use super::{Extent, Shape, Verdict};

/// The indices `start..end` along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Range {
    /// First index.
    pub start: Extent,
    /// One past the last index.
    pub end: Extent,
}

impl Range {
    /// No index.
    const NONE: Self = Self { start: Extent::ZERO, end: Extent::ZERO };

    /// `0..size`.
    pub fn whole(size: Extent) -> Self {
        Self { start: Extent::ZERO, end: size }
    }

    /// Between numbers.
    pub fn known(start: u64, end: u64) -> Self {
        Self { start: Extent::Known(start), end: Extent::Known(end) }
    }

    /// The number of indices, if it is known. None if it runs backwards.
    pub fn length(self) -> Option<u64> {
        self.end.known()?.checked_sub(self.start.known()?)
    }

    /// Both ends, if they are numbers.
    pub fn numbers(self) -> Option<(u64, u64)> {
        Some((self.start.known()?, self.end.known()?))
    }

    /// Whether it has no index.
    pub fn is_empty(self) -> Verdict {
        self.end.at_most(self.start)
    }

    /// Whether every index of `inner` is one of these.
    pub fn covers(self, inner: Self) -> bool {
        self.start.at_most(inner.start) == Verdict::Proved && inner.end.at_most(self.end) == Verdict::Proved
    }
}

/// The elements that an access may touch: a box, by a range along each dimension of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Footprint {
    rank: u8,
    /// The outermost dimension first; unused ones are [`Range::NONE`].
    ranges: [Range; Shape::MAX_RANK],
}

impl From<Range> for Footprint {
    fn from(range: Range) -> Self {
        Self::new(&[range])
    }
}

impl Footprint {
    /// A box of one to three dimensions, the outermost first; further ones are dropped.
    pub fn new(ranges: &[Range]) -> Self {
        let rank = ranges.len().clamp(1, Shape::MAX_RANK);
        let mut all = [Range::NONE; Shape::MAX_RANK];
        all.iter_mut().zip(ranges).for_each(|(into, range)| *into = *range);
        Self { rank: rank as u8, ranges: all }
    }

    /// The elements `start..end` of a buffer of one dimension.
    pub fn line(start: Extent, end: Extent) -> Self {
        Self::from(Range { start, end })
    }

    /// All elements of a buffer.
    pub fn whole(shape: impl Into<Shape>) -> Self {
        let shape: Shape = shape.into();
        let mut ranges = [Range::NONE; Shape::MAX_RANK];
        ranges.iter_mut().zip(shape.sizes()).for_each(|(into, size)| *into = Range::whole(*size));
        Self { rank: shape.rank() as u8, ranges }
    }

    /// The range along each dimension, the outermost first.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges[..usize::from(self.rank).min(Shape::MAX_RANK)]
    }

    /// The same, to change them.
    pub fn ranges_mut(&mut self) -> &mut [Range] {
        &mut self.ranges[..usize::from(self.rank).min(Shape::MAX_RANK)]
    }

    /// The range along the outermost dimension: all there is if the buffer has only one.
    pub fn outermost(&self) -> Range {
        self.ranges[0]
    }

    /// The number of elements, if it is known.
    pub fn elements(&self) -> Option<u64> {
        self.ranges().iter().try_fold(1_u64, |product, range| Some(product.saturating_mul(range.length()?)))
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> Verdict {
        any(self.ranges().iter().map(|range| range.is_empty()))
    }

    /// Whether no element belongs to both. Boxes of different dimensions are never compared by number.
    pub fn disjoint(&self, other: &Self) -> Verdict {
        let empty = any([self.is_empty(), other.is_empty()].into_iter());
        if empty == Verdict::Proved || self.rank != other.rank {
            return if empty == Verdict::Proved { Verdict::Proved } else { Verdict::Open };
        }
        let apart = |(one, two): (&Range, &Range)| [one.end.at_most(two.start), two.end.at_most(one.start)];
        any(std::iter::once(empty).chain(self.ranges().iter().zip(other.ranges()).flat_map(apart)))
    }

    /// Whether every element of `inner` is proved to be in this box.
    pub fn covers(&self, inner: &Self) -> bool {
        self.rank == inner.rank && self.ranges().iter().zip(inner.ranges()).all(|(outer, inner)| outer.covers(*inner))
    }
}

/// Whether one of these holds.
fn any(mut verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut open = false;
    let proved = verdicts.any(|verdict| {
        open |= verdict == Verdict::Open;
        verdict == Verdict::Proved
    });
    match (proved, open) {
        (true, _) => Verdict::Proved,
        (false, true) => Verdict::Open,
        (false, false) => Verdict::Refuted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn known(ranges: &[(u64, u64)]) -> Footprint {
        let ranges: Vec<_> = ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect();
        Footprint::new(&ranges)
    }

    #[test]
    fn boxes_are_apart_if_they_are_in_any_dimension() {
        let tile = known(&[(0, 4), (4, 8)]);
        assert_eq!(tile.disjoint(&known(&[(0, 4), (8, 12)])), Verdict::Proved);
        assert_eq!(tile.disjoint(&known(&[(4, 8), (4, 8)])), Verdict::Proved);
        assert_eq!(tile.disjoint(&known(&[(3, 8), (7, 8)])), Verdict::Refuted);
        assert_eq!(tile.disjoint(&known(&[(3, 3), (0, 8)])), Verdict::Proved, "no element");
        let column = Footprint::new(&[Range::whole(Extent::Symbol(SymbolId(0))), Range::known(8, 9)]);
        assert_eq!(tile.disjoint(&column), Verdict::Proved);
        assert_eq!(known(&[(0, 4), (8, 9)]).disjoint(&column), Verdict::Open, "there may be no row");
    }

    #[test]
    fn a_box_covers_what_all_its_ranges_cover() {
        let all = known(&[(0, 4), (0, 8)]);
        assert!(all.covers(&known(&[(1, 4), (0, 8)])) && !all.covers(&known(&[(1, 4), (0, 9)])));
        assert!(!all.covers(&known(&[(0, 4)])));
        assert_eq!((all.elements(), known(&[(4, 2)]).elements()), (Some(32), None));
    }
}
