//! `Tile` and `TileMut`: boxes of a buffer, as CPU bodies see them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Where the elements of a box are.
#[derive(Clone, Copy)]
struct Rows<const N: usize> {
    /// The outermost first.
    sizes: [usize; N],
    /// Elements from one index to the next along each dimension; 1 along the last.
    distances: [usize; N],
}

impl<const N: usize> Rows<N> {
    /// The element with these indices, counted from the first.
    fn offset(&self, indices: [usize; N]) -> usize {
        let inside = indices.iter().zip(&self.sizes).all(|(index, size)| index < size);
        assert!(inside, "index {indices:?} is out of a box of {:?}", self.sizes);
        indices.iter().zip(&self.distances).map(|(index, distance)| index * distance).sum()
    }

    /// The first element of each row.
    fn starts(&self) -> impl Iterator<Item = usize> + use<N> {
        let Self { sizes, distances } = *self;
        let rows: usize = if sizes.contains(&0) { 0 } else { sizes[..N - 1].iter().product() };
        (0..rows).map(move |row| {
            let (mut rest, mut offset) = (row, 0);
            for axis in (0..N - 1).rev() {
                offset += rest % sizes[axis] * distances[axis];
                rest /= sizes[axis];
            }
            offset
        })
    }
}

/// A box of a buffer that a kernel reads: declared `&[T; (h, w)]` or `&[T; (d, h, w)]`.
///
/// Indexed by a tuple, from the box's own first element: `x[(row, column)]`.
pub struct Tile<'a, T, const N: usize> {
    first: *const T,
    rows: Rows<N>,
    memory: PhantomData<&'a [T]>,
}

/// A box of a buffer that a kernel writes: declared `&mut [T; (h, w)]` or `Out<[T; (h, w)]>`.
///
/// Indexed by a tuple, from the box's own first element: `x[(row, column)] = 1.0`.
pub struct TileMut<'a, T, const N: usize> {
    first: *mut T,
    rows: Rows<N>,
    memory: PhantomData<&'a mut [T]>,
}

// SAFETY: it is a shared borrow of elements.
unsafe impl<T: Sync, const N: usize> Send for Tile<'_, T, N> {}
// SAFETY: it is a shared borrow of elements.
unsafe impl<T: Sync, const N: usize> Sync for Tile<'_, T, N> {}
// SAFETY: it is a unique borrow of elements.
unsafe impl<T: Send, const N: usize> Send for TileMut<'_, T, N> {}
// SAFETY: through a shared reference it only lends elements out to be read.
unsafe impl<T: Sync, const N: usize> Sync for TileMut<'_, T, N> {}

impl<T, const N: usize> Clone for Tile<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for Tile<'_, T, N> {}

impl<'a, T, const N: usize> Tile<'a, T, N> {
    /// # Safety
    /// During `'a`, every element of the box is initialised and not written: those at the sums of indices below `sizes` times
    /// `distances`, of which the last is 1, from `first` on, which is aligned and not null.
    pub(super) unsafe fn new(first: *const T, sizes: [usize; N], distances: [usize; N]) -> Self {
        Self { first, rows: Rows { sizes, distances }, memory: PhantomData }
    }

    /// The number of indices along each dimension, the outermost first.
    pub fn sizes(&self) -> [usize; N] {
        self.rows.sizes
    }

    /// The rows, one after another: the elements along the last dimension.
    pub fn rows(&self) -> impl Iterator<Item = &'a [T]> + use<'a, T, N> {
        let (first, length) = (self.first, self.rows.sizes[N - 1]);
        // SAFETY: by `new`: a row's elements lie side by side, and are there and not written during 'a.
        self.rows.starts().map(move |start| unsafe { std::slice::from_raw_parts(first.add(start), length) })
    }

    fn at(&self, indices: [usize; N]) -> &'a T {
        let offset = self.rows.offset(indices);
        // SAFETY: by `new`, since the indices are within the sizes.
        unsafe { &*self.first.add(offset) }
    }
}

impl<T, const N: usize> TileMut<'_, T, N> {
    /// # Safety
    /// During the value's lifetime, every element of the box is initialised and accessed through it only: those at the sums of indices below
    /// `sizes` times `distances`, of which the last is 1, from `first` on, which is aligned and not null. No two sums are equal.
    pub(super) unsafe fn new(first: *mut T, sizes: [usize; N], distances: [usize; N]) -> Self {
        Self { first, rows: Rows { sizes, distances }, memory: PhantomData }
    }

    /// The number of indices along each dimension, the outermost first.
    pub fn sizes(&self) -> [usize; N] {
        self.rows.sizes
    }

    /// The same elements, to read.
    pub fn as_tile(&self) -> Tile<'_, T, N> {
        Tile { first: self.first, rows: self.rows, memory: PhantomData }
    }

    /// The rows, one after another: the elements along the last dimension.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.as_tile().rows()
    }

    /// The rows, one after another, to write.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let (first, length) = (self.first, self.rows.sizes[N - 1]);
        // SAFETY: by `new`: a row's elements lie side by side, no two rows share one, and all are borrowed with this value.
        self.rows.starts().map(move |start| unsafe { std::slice::from_raw_parts_mut(first.add(start), length) })
    }

    /// Sets every element.
    pub fn fill(&mut self, value: T)
    where
        T: Copy,
    {
        self.rows_mut().for_each(|row| row.fill(value));
    }

    fn at_mut(&mut self, indices: [usize; N]) -> &mut T {
        let offset = self.rows.offset(indices);
        // SAFETY: by `new`, since the indices are within the sizes; the element is borrowed with this value.
        unsafe { &mut *self.first.add(offset) }
    }
}

macro_rules! indexed {
    ($rank:literal, $index:ty, $pattern:pat => $indices:expr) => {
        impl<T> Index<$index> for Tile<'_, T, $rank> {
            type Output = T;

            fn index(&self, $pattern: $index) -> &T {
                self.at($indices)
            }
        }

        impl<T> Index<$index> for TileMut<'_, T, $rank> {
            type Output = T;

            fn index(&self, $pattern: $index) -> &T {
                self.as_tile().at($indices)
            }
        }

        impl<T> IndexMut<$index> for TileMut<'_, T, $rank> {
            fn index_mut(&mut self, $pattern: $index) -> &mut T {
                self.at_mut($indices)
            }
        }
    };
}

indexed!(2, (usize, usize), (row, column) => [row, column]);
indexed!(3, (usize, usize, usize), (slice, row, column) => [slice, row, column]);

impl<T: fmt::Debug, const N: usize> fmt::Debug for Tile<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for TileMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_tile().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_indexed_from_its_own_corner() {
        let matrix: Vec<u32> = (0..20).collect();
        // SAFETY: two rows of three elements, five apart, from element 6 on, lie in the twenty.
        let tile = unsafe { Tile::new(matrix.as_ptr().add(6), [2, 3], [5, 1]) };
        assert_eq!((tile[(0, 0)], tile[(1, 2)], tile.sizes()), (6, 13, [2, 3]));
        assert_eq!(tile.rows().collect::<Vec<_>>(), [[6, 7, 8], [11, 12, 13]]);
        assert_eq!(format!("{tile:?}"), "[[6, 7, 8], [11, 12, 13]]");
    }

    #[test]
    fn writes_stay_in_the_tile() {
        let mut space = [0_u8; 24];
        // SAFETY: two slices of two rows of two elements, from element 1 on, lie in the 24 of a 2 × 3 × 4 box.
        let mut tile = unsafe { TileMut::new(space.as_mut_ptr().add(1), [2, 2, 2], [12, 4, 1]) };
        tile.fill(7);
        tile[(1, 0, 1)] = 9;
        tile.rows_mut().next().unwrap()[0] = 5;
        assert_eq!(tile.rows().count(), 4);
        let expected = [0, 5, 7, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 7, 9, 0, 0, 7, 7, 0, 0, 0, 0, 0];
        assert_eq!(space, expected);
    }

    #[test]
    #[should_panic(expected = "index [0, 3] is out of a box of [2, 3]")]
    fn the_next_row_is_out_of_bounds() {
        let matrix = [0_u32; 20];
        // SAFETY: as above.
        let tile = unsafe { Tile::new(matrix.as_ptr(), [2, 3], [5, 1]) };
        let _ = tile[(0, 3)];
    }

    #[test]
    fn without_elements_there_are_no_rows() {
        // SAFETY: there is no element.
        let tile = unsafe { Tile::new(std::ptr::dangling::<u64>(), [3, 0], [5, 1]) };
        assert_eq!(tile.rows().count(), 0);
    }
}
