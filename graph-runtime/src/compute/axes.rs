//! The index ranges of a kernel in the block.

use std::ops::Range;

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
        $(impl Counter for $name {
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

impl AxisRange {
    fn of<C: Counter>(range: &Range<C>) -> Self {
        let count = u64::try_from(range.end.wide() - range.start.wide()).unwrap_or(0);
        Self { start: range.start.to_bits(), count, scalar: C::SCALAR }
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

impl<A: Counter> Axes for Range<A> {
    type Index = A;

    fn ranges(&self) -> Vec<AxisRange> {
        vec![AxisRange::of(self)]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut(A)) {
        for position in first..last {
            visit(self.start.ahead(position));
        }
    }
}

impl<A: Counter, B: Counter> Axes for (Range<A>, Range<B>) {
    type Index = (A, B);

    fn ranges(&self) -> Vec<AxisRange> {
        vec![AxisRange::of(&self.0), AxisRange::of(&self.1)]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut((A, B))) {
        let columns = AxisRange::of(&self.1).count;
        rows(columns, first, last, |row, from, to| {
            let i = self.0.start.ahead(row);
            for column in from..to {
                visit((i, self.1.start.ahead(column)));
            }
        });
    }
}

impl<A: Counter, B: Counter, C: Counter> Axes for (Range<A>, Range<B>, Range<C>) {
    type Index = (A, B, C);

    fn ranges(&self) -> Vec<AxisRange> {
        vec![AxisRange::of(&self.0), AxisRange::of(&self.1), AxisRange::of(&self.2)]
    }

    #[inline]
    fn visit(&self, first: u64, last: u64, mut visit: impl FnMut((A, B, C))) {
        let height = AxisRange::of(&self.1).count;
        rows(AxisRange::of(&self.2).count, first, last, |row, from, to| {
            let (i, j) = (self.0.start.ahead(row / height), self.1.start.ahead(row % height));
            for column in from..to {
                visit((i, j, self.2.start.ahead(column)));
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
        assert_eq!((-3_i16..4).ranges()[0], AxisRange { start: 0xfffd, count: 7, scalar: ScalarType::I16 });
    }
}
