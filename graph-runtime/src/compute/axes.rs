//! The index ranges of a kernel in the block.

use std::ops::{Range, RangeInclusive};

use graph_ir::model::ScalarType;

use crate::element::Scalar;

/// The type of an axis: an integer.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be counted", label = "expected an integer")]
pub trait Counter: Scalar {
    /// As a wide integer.
    fn wide(self) -> i128;

    /// The number that comes `by` behind this one, which is a number of the type.
    #[must_use]
    fn ahead(self, by: u64) -> Self;
}

macro_rules! counters {
    ($($name:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl Counter for $name {
            #[expect(clippy::allow_attributes, reason = "only some of the types convert without loss")]
            #[allow(clippy::cast_lossless, reason = "no wider integer is an axis")]
            fn wide(self) -> i128 {
                self as i128
            }

            #[inline]
            #[expect(clippy::allow_attributes, reason = "only some of the types are signed and wide")]
            #[allow(clippy::cast_possible_wrap, reason = "the low bits are what is added")]
            fn ahead(self, by: u64) -> Self {
                self.wrapping_add(by as Self)
            }
        })*
    };
}

counters!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);

/// One axis with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisRange {
    /// The first index's bits.
    pub start: u64,
    /// How many indices.
    pub count: u64,
    /// The index's type.
    pub scalar: ScalarType,
}

/// One of the ranges of a kernel in the block: `a..b` or `a..=b`.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a range of indices", label = "expected `a..b` or `a..=b`")]
pub trait Bounds: Clone + Send + Sync + 'static {
    /// What it counts in.
    type Index: Counter;

    /// The first index.
    fn first(&self) -> Self::Index;

    /// With numbers.
    fn range(&self) -> AxisRange;
}

impl<C: Counter> Bounds for Range<C> {
    type Index = C;

    #[inline]
    fn first(&self) -> C {
        self.start
    }

    fn range(&self) -> AxisRange {
        let count = u64::try_from(self.end.wide() - self.start.wide()).unwrap_or(0);
        AxisRange { start: self.start.to_bits(), count, scalar: C::SCALAR }
    }
}

impl<C: Counter> Bounds for RangeInclusive<C> {
    type Index = C;

    #[inline]
    fn first(&self) -> C {
        *self.start()
    }

    /// All numbers of 64 bits are one more than are counted.
    fn range(&self) -> AxisRange {
        let count = (self.end().wide() - self.start().wide() + 1).max(0);
        AxisRange { start: self.start().to_bits(), count: u64::try_from(count).unwrap_or(u64::MAX), scalar: C::SCALAR }
    }
}

/// The ranges of a kernel in the block: `a..b`, or a tuple of two or three. The last one varies fastest.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of indices",
    label = "expected `a..b`, or a tuple of two or three ranges"
)]
pub trait Axes: Clone + Send + Sync + 'static {
    /// `i`, `(i, j)` or `(i, j, k)`.
    type Index: Copy;

    /// With numbers, in order.
    fn ranges(&self) -> Vec<AxisRange>;

    /// Calls `visit` for each index from number `first` on, up to number `last`, which exist.
    fn visit(&self, first: u64, last: u64, visit: impl FnMut(Self::Index));
}

impl<A: Bounds> Axes for A {
    type Index = A::Index;

    fn ranges(&self) -> Vec<AxisRange> {
        vec![self.range()]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut(A::Index)) {
        let start = self.first();
        for position in first..last {
            visit(start.ahead(position));
        }
    }
}

impl<A: Bounds, B: Bounds> Axes for (A, B) {
    type Index = (A::Index, B::Index);

    fn ranges(&self) -> Vec<AxisRange> {
        vec![self.0.range(), self.1.range()]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut(Self::Index)) {
        let (outer, inner) = (self.0.first(), self.1.first());
        rows(self.1.range().count, first, last, |row, from, to| {
            let i = outer.ahead(row);
            for column in from..to {
                visit((i, inner.ahead(column)));
            }
        });
    }
}

impl<A: Bounds, B: Bounds, C: Bounds> Axes for (A, B, C) {
    type Index = (A::Index, B::Index, C::Index);

    fn ranges(&self) -> Vec<AxisRange> {
        vec![self.0.range(), self.1.range(), self.2.range()]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut(Self::Index)) {
        let height = self.1.range().count;
        let (outer, middle, inner) = (self.0.first(), self.1.first(), self.2.first());
        rows(self.2.range().count, first, last, |row, from, to| {
            let (i, j) = (outer.ahead(row / height), middle.ahead(row % height));
            for column in from..to {
                visit((i, j, inner.ahead(column)));
            }
        });
    }
}

/// Cuts a range of positions at the ends of rows: row, first column, end.
fn rows(columns: u64, first: u64, last: u64, mut visit: impl FnMut(u64, u64, u64)) {
    let mut position = first;
    while position < last {
        let (row, from) = (position / columns, position % columns);
        let to = columns.min(from + (last - position));
        visit(row, from, to);
        position += to - from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<A: Axes>(axes: &A, first: u64, last: u64) -> Vec<A::Index> {
        let mut seen = Vec::new();
        axes.visit(first, last, |index| seen.push(index));
        seen
    }

    #[test]
    fn the_last_axis_varies_fastest() {
        assert_eq!(all(&(2..5), 0, 3), [2, 3, 4]);
        assert_eq!(all(&(0_u8..2, -1_i64..2), 1, 5), [(0, 0), (0, 1), (1, -1), (1, 0)]);
        let three = (0..2, 5_u32..7, 0..2);
        assert_eq!(all(&three, 0, 8)[3..6], [(0, 6, 1), (1, 5, 0), (1, 5, 1)]);
        assert_eq!(all(&three, 3, 6), [(0, 6, 1), (1, 5, 0), (1, 5, 1)]);
    }

    #[test]
    fn counts_are_those_of_the_range() {
        let counts = |axes: &[AxisRange]| axes.iter().map(|axis| axis.count).collect::<Vec<_>>();
        let backwards = Range { start: 5, end: 5 - 1 };
        assert_eq!(counts(&(backwards, i8::MIN..i8::MAX).ranges()), [0, 255]);
        assert_eq!(counts(&(0..u64::MAX).ranges()), [u64::MAX]);
        assert_eq!(counts(&(0..=u8::MAX, i8::MIN..=i8::MAX).ranges()), [256, 256]);
        assert_eq!(counts(&(0..=u64::MAX, 1..3).ranges()), [u64::MAX, 2]);
        assert_eq!(all(&(253..=u8::MAX), 0, 3), [253, 254, 255]);
        assert_eq!((-3_i16..4).ranges()[0], AxisRange { start: 0xfffd, count: 7, scalar: ScalarType::I16 });
    }
}
