//! Where the elements of a box lie in memory.

use super::{Footprint, Shape};

/// A box of numbers in a row-major buffer of numbers: rows of elements side by side, at equal distances.
///
/// Missing outer dimensions have size 1. Dimensions that lie in one piece are one: all rows of a matrix are a single long row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strided {
    /// The first element, counted from the buffer's first.
    pub first: u64,
    /// Slices, rows, elements of a row.
    pub sizes: [u64; 3],
    /// Elements from one slice to the next, and from one row to the next.
    pub pitches: [u64; 2],
}

impl Strided {
    /// Where a footprint lies in a buffer of this shape, if both are numbers.
    pub fn of(footprint: &Footprint, shape: &Shape) -> Option<Self> {
        let ranges = footprint.ranges();
        if let ([range], 1) = (ranges, shape.rank()) {
            let (start, end) = range.numbers()?;
            return Some(Self::line(start, end.saturating_sub(start)));
        }
        if ranges.len() != shape.rank() {
            return None;
        }
        let (mut first, mut distance) = (0_u64, 1_u64);
        let mut axes = Vec::with_capacity(Shape::MAX_RANK);
        for (range, size) in ranges.iter().zip(shape.sizes()).rev() {
            let (start, end) = range.numbers()?;
            first = first.saturating_add(start.saturating_mul(distance));
            axes.push((end.saturating_sub(start), distance));
            distance = distance.saturating_mul(size.known()?);
        }
        Some(Self::from_axes(first, &axes))
    }

    /// Elements side by side.
    pub fn line(first: u64, elements: u64) -> Self {
        Self { first, sizes: [1, 1, elements], pitches: [elements, elements] }
    }

    /// From sizes and distances, the innermost dimension first.
    fn from_axes(first: u64, axes: &[(u64, u64)]) -> Self {
        if axes.iter().any(|(size, _)| *size == 0) {
            return Self::line(first, 0);
        }
        let mut row = 1;
        let mut outer: Vec<(u64, u64)> = Vec::with_capacity(2);
        for &(size, distance) in axes.iter().filter(|(size, _)| *size != 1) {
            match outer.last_mut() {
                None if distance == row => row = row.saturating_mul(size),
                Some((rows, pitch)) if distance == rows.saturating_mul(*pitch) => *rows = rows.saturating_mul(size),
                _ => outer.push((size, distance)),
            }
        }
        let (rows, pitch) = outer.first().copied().unwrap_or((1, row));
        let (slices, slice) = outer.get(1).copied().unwrap_or((1, rows.saturating_mul(pitch)));
        Self { first, sizes: [slices, rows, row], pitches: [slice, pitch] }
    }

    /// Two boxes in the same rows, so that their elements pair up in order. Nothing if there are no such rows.
    pub fn together(&self, other: &Self) -> Option<(Self, Self)> {
        if self.elements() == 0 || self.elements() != other.elements() {
            return None;
        }
        let (mut one, mut two) = (self.axes(), other.axes());
        let (mut ones, mut twos) = (Vec::with_capacity(3), Vec::with_capacity(3));
        while let (Some(a), Some(b)) = (one.last_mut(), two.last_mut()) {
            let size = a.0.min(b.0);
            if a.0 % size != 0 || b.0 % size != 0 || ones.len() == 3 {
                return None;
            }
            ones.push((size, a.1));
            twos.push((size, b.1));
            *a = (a.0 / size, a.1.saturating_mul(size));
            *b = (b.0 / size, b.1.saturating_mul(size));
            one.pop_if(|axis| axis.0 == 1);
            two.pop_if(|axis| axis.0 == 1);
        }
        Some((Self::from_rows(self.first, &ones)?, Self::from_rows(other.first, &twos)?))
    }

    /// Sizes and distances, the innermost dimension last; without dimensions of size 1.
    fn axes(&self) -> Vec<(u64, u64)> {
        let all = [(self.sizes[0], self.pitches[0]), (self.sizes[1], self.pitches[1]), (self.sizes[2], 1)];
        all.into_iter().filter(|(size, _)| *size != 1).collect()
    }

    /// From sizes and distances, the innermost dimension first, as they are; a row of one element if those are apart.
    fn from_rows(first: u64, axes: &[(u64, u64)]) -> Option<Self> {
        let apart = axes.first().is_some_and(|(_, distance)| *distance != 1);
        let row = if apart { 1 } else { axes.first().map_or(1, |(size, _)| *size) };
        match &axes[usize::from(!apart).min(axes.len())..] {
            [] => Some(Self { first, sizes: [1, 1, row], pitches: [row, row] }),
            [(rows, pitch)] => {
                Some(Self { first, sizes: [1, *rows, row], pitches: [rows.saturating_mul(*pitch), *pitch] })
            }
            [(rows, pitch), (slices, slice)] => {
                Some(Self { first, sizes: [*slices, *rows, row], pitches: [*slice, *pitch] })
            }
            _ => None,
        }
    }

    /// Whether the buffer's element with this number is one of them. For boxes made by [`Strided::of`], whose rows do not interleave.
    pub fn holds(&self, element: u64) -> bool {
        let Some(behind) = element.checked_sub(self.first).filter(|_| self.elements() > 0) else { return false };
        let [slice, pitch] = self.pitches.map(|pitch| pitch.max(1));
        let (slices, left) = if self.sizes[0] == 1 { (0, behind) } else { (behind / slice, behind % slice) };
        let (rows, left) = if self.sizes[1] == 1 { (0, left) } else { (left / pitch, left % pitch) };
        slices < self.sizes[0] && rows < self.sizes[1] && left < self.sizes[2]
    }

    /// The number of elements.
    pub fn elements(&self) -> u64 {
        self.sizes.iter().fold(1, |product, size| product.saturating_mul(*size))
    }

    /// Whether all elements lie side by side.
    pub fn is_contiguous(&self) -> bool {
        self.sizes[0] == 1 && self.sizes[1] == 1
    }

    /// The first element of each row.
    pub fn rows(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { first, sizes: [slices, rows, _], pitches: [slice, pitch] } = *self;
        (0..slices).flat_map(move |z| (0..rows).map(move |y| first + z * slice + y * pitch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Extent, Range};

    fn of(ranges: &[(u64, u64)], sizes: &[u64]) -> Strided {
        let ranges: Vec<_> = ranges.iter().map(|(start, end)| Range::known(*start, *end)).collect();
        let sizes: Vec<_> = sizes.iter().map(|size| Extent::Known(*size)).collect();
        Strided::of(&Footprint::new(&ranges), &Shape::new(&sizes)).unwrap()
    }

    #[test]
    fn a_tile_has_rows_and_whole_rows_are_one() {
        let tile = of(&[(2, 4), (3, 8)], &[10, 20]);
        assert_eq!(tile, Strided { first: 43, sizes: [1, 2, 5], pitches: [40, 20] });
        assert_eq!(tile.rows().collect::<Vec<_>>(), [43, 63]);
        let rows = of(&[(2, 4), (0, 20)], &[10, 20]);
        assert!(rows.is_contiguous());
        assert_eq!((rows.first, rows.elements()), (40, 40));
        assert!(of(&[(2, 3), (3, 8)], &[10, 20]).is_contiguous(), "a piece of one row");
    }

    #[test]
    fn three_dimensions_join_where_they_lie_in_one_piece() {
        let cube = of(&[(1, 3), (2, 4), (1, 4)], &[4, 5, 6]);
        assert_eq!(cube, Strided { first: 43, sizes: [2, 2, 3], pitches: [30, 6] });
        let slabs = of(&[(0, 2), (0, 5), (1, 4)], &[4, 5, 6]);
        assert_eq!((slabs.sizes, slabs.pitches[1]), ([1, 10, 3], 6), "rows at one distance through both slices");
        let pillars = of(&[(0, 4), (2, 4), (0, 6)], &[4, 5, 6]);
        assert_eq!((pillars.sizes, pillars.pitches[1]), ([1, 4, 12], 30));
        let columns = of(&[(0, 4), (2, 3), (1, 2)], &[4, 5, 6]);
        assert_eq!((columns.sizes, columns.pitches[1]), ([1, 4, 1], 30));
    }

    #[test]
    fn no_element_is_contiguous() {
        let none = of(&[(2, 2), (3, 8)], &[10, 20]);
        assert!(none.is_contiguous() && none.elements() == 0);
    }
}
