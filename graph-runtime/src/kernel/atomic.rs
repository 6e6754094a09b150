//! `Atomic<[T]>`: a buffer that a CPU body updates from any number of threads.

use std::cell::UnsafeCell;
use std::fmt;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::element::Element;

/// A buffer whose elements a kernel updates atomically, in a way that commutes.
///
/// Shared and `Copy`: every thread of a CPU body may hold one. Several launches may update the same buffer at once, so there is no way
/// from here to a `&mut [T]` or a `&[T]`. Like [`Out`](super::Out), it ends with the launch. Integers wrap; an index that is out of
/// bounds panics, as it does with a slice.
/// ```compile_fail,E0521
/// # use graph_runtime::Atomic;
/// fn body(error: Atomic<'_, [f32]>) {
///     std::thread::spawn(move || error.fetch_add(0, 1.0));
/// }
/// ```
pub struct Atomic<'a, T: ?Sized> {
    cells: &'a UnsafeCell<T>,
}

impl<T: ?Sized> Clone for Atomic<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Atomic<'_, T> {}

// SAFETY: elements are plain data, and every access to them goes through an atomic operation of the element's whole size.
unsafe impl<T: Element> Send for Atomic<'_, [T]> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Atomic<'_, [T]> {}

impl<T> Atomic<'_, [T]> {
    /// # Safety
    /// `target` is aligned, initialised and valid for reads and writes during the handle's lifetime, during which nothing accesses it
    /// but by atomic operations of the same size.
    pub(super) unsafe fn from_raw(target: *mut [T]) -> Self {
        // SAFETY: `UnsafeCell` is transparent, the memory is valid by the caller's promise, and a shared cell claims no exclusion.
        Self { cells: unsafe { &*(target as *const UnsafeCell<[T]>) } }
    }
}

impl<'a, T: Element> Atomic<'a, [T]> {
    /// Of memory that is the caller's alone.
    pub fn new(target: &'a mut [T]) -> Self {
        // SAFETY: the slice is valid for reads and writes and exclusively borrowed for 'a.
        unsafe { Self::from_raw(target) }
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.cells.get().len()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn cell(self, index: usize) -> *mut T {
        let cells = self.cells.get();
        // SAFETY: the memory is valid during 'a; indexing checks the bounds; no reference to the elements is made.
        unsafe { &raw mut (*cells)[index] }
    }
}

impl<T: AtomicElement> Atomic<'_, [T]> {
    /// The element as it is now.
    pub fn load(&self, index: usize) -> T {
        // SAFETY: `cell` points to an element that is only accessed by atomic operations of its size.
        unsafe { T::atomic_load(self.cell(index)) }
    }

    /// Adds `value`; the element from before.
    pub fn fetch_add(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.add(value))
    }

    /// Keeps the smaller; the element from before. A float that is NaN counts as missing.
    pub fn fetch_min(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.smaller(value))
    }

    /// Keeps the larger; the element from before. A float that is NaN counts as missing.
    pub fn fetch_max(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.larger(value))
    }

    fn update(&self, index: usize, new: impl Fn(T) -> T) -> T {
        // SAFETY: as in `load`.
        unsafe { T::atomic_update(self.cell(index), new) }
    }
}

impl<T: AtomicInteger> Atomic<'_, [T]> {
    /// Bitwise or; the element from before.
    pub fn fetch_or(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.or(value))
    }

    /// Bitwise and; the element from before.
    pub fn fetch_and(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.and(value))
    }

    /// Bitwise exclusive or; the element from before.
    pub fn fetch_xor(&self, index: usize, value: T) -> T {
        self.update(index, |old| old.xor(value))
    }
}

impl<T: ?Sized> fmt::Debug for Atomic<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Atomic").finish_non_exhaustive()
    }
}

mod sealed {
    /// Keeps the list of atomic elements closed.
    pub trait Sealed {}
}

/// A number that CPU bodies can update atomically: `u8`, `u32`, `i32`, `u64`, `i64`, `f32`, `f64`.
pub trait AtomicElement: Element + sealed::Sealed {
    /// # Safety
    /// `cell` is aligned, valid, and accessed by atomic operations of this size only.
    #[doc(hidden)]
    unsafe fn atomic_load(cell: *mut Self) -> Self;

    /// # Safety
    /// `cell` is aligned, valid, and accessed by atomic operations of this size only.
    #[doc(hidden)]
    unsafe fn atomic_update(cell: *mut Self, new: impl Fn(Self) -> Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn add(self, other: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn smaller(self, other: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn larger(self, other: Self) -> Self;
}

/// An integer that CPU bodies can update bit by bit.
pub trait AtomicInteger: AtomicElement {
    #[doc(hidden)]
    #[must_use]
    fn or(self, other: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn and(self, other: Self) -> Self;

    #[doc(hidden)]
    #[must_use]
    fn xor(self, other: Self) -> Self;
}

/// `$name` as the bits of `$cell`; relaxed, since the end of a launch orders it before whatever comes next.
macro_rules! atomic_element {
    ($name:ty, $cell:ty, $to_bits:expr, $from_bits:expr, $add:expr, $min:expr, $max:expr) => {
        impl sealed::Sealed for $name {}

        impl AtomicElement for $name {
            unsafe fn atomic_load(cell: *mut Self) -> Self {
                // SAFETY: the caller's promise; `$cell` has the size and the alignment of `$name` on every target that has it.
                let cell = unsafe { <$cell>::from_ptr(cell.cast()) };
                $from_bits(cell.load(Ordering::Relaxed))
            }

            unsafe fn atomic_update(cell: *mut Self, new: impl Fn(Self) -> Self) -> Self {
                // SAFETY: as above.
                let cell = unsafe { <$cell>::from_ptr(cell.cast()) };
                let mut old = cell.load(Ordering::Relaxed);
                loop {
                    let bits = $to_bits(new($from_bits(old)));
                    match cell.compare_exchange_weak(old, bits, Ordering::Relaxed, Ordering::Relaxed) {
                        Ok(old) => return $from_bits(old),
                        Err(now) => old = now,
                    }
                }
            }

            fn add(self, other: Self) -> Self {
                $add(self, other)
            }

            fn smaller(self, other: Self) -> Self {
                $min(self, other)
            }

            fn larger(self, other: Self) -> Self {
                $max(self, other)
            }
        }

        const _: () = assert!(align_of::<$cell>() == align_of::<$name>() && size_of::<$cell>() == size_of::<$name>());
    };
}

macro_rules! atomic_integers {
    ($($name:ty, $cell:ty;)*) => {$(
        atomic_element!($name, $cell, std::convert::identity, std::convert::identity, <$name>::wrapping_add, Ord::min, Ord::max);

        impl AtomicInteger for $name {
            fn or(self, other: Self) -> Self {
                self | other
            }

            fn and(self, other: Self) -> Self {
                self & other
            }

            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

atomic_integers! {
    u8, AtomicU8;
    u32, AtomicU32;
    i32, AtomicI32;
    u64, AtomicU64;
    i64, AtomicI64;
}
atomic_element!(f32, AtomicU32, f32::to_bits, f32::from_bits, std::ops::Add::add, f32::min, f32::max);
atomic_element!(f64, AtomicU64, f64::to_bits, f64::from_bits, std::ops::Add::add, f64::min, f64::max);

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::Atomic;

    #[test]
    fn updates_from_many_threads_all_count() {
        let mut memory = [0.0_f32, 0.0, 1e9];
        let sum = Atomic::new(&mut memory);
        (0..1000_u16).into_par_iter().for_each(|i| {
            sum.fetch_add(usize::from(i % 2), 1.0);
            sum.fetch_min(2, f32::from(i) + 3.0);
        });
        assert_eq!(memory.map(f32::to_bits), [500.0_f32, 500.0, 3.0].map(f32::to_bits));
    }

    #[test]
    fn integers_wrap_and_have_bits() {
        let mut memory = [250_u8, 0b1100, 0b1100, 0b1100];
        let cells = Atomic::new(&mut memory);
        assert_eq!(cells.fetch_add(0, 10), 250);
        assert_eq!(cells.fetch_or(1, 0b0110), 0b1100);
        cells.fetch_and(2, 0b0110);
        cells.fetch_xor(3, 0b0110);
        assert_eq!((cells.load(0), cells.len(), cells.is_empty()), (4, 4, false));
        assert_eq!(memory, [4, 0b1110, 0b0100, 0b1010]);
    }

    #[test]
    fn signed_extremes_and_64_bits() {
        let mut small = [i32::MAX, 5];
        let cells = Atomic::new(&mut small);
        cells.fetch_add(0, 1);
        cells.fetch_min(1, -7);
        let mut large = [1_u64 << 40];
        Atomic::new(&mut large).fetch_max(0, 1 << 41);
        let mut double = [0.5_f64];
        Atomic::new(&mut double).fetch_max(0, f64::NAN);
        let mut long = [-1_i64];
        Atomic::new(&mut long).fetch_xor(0, i64::MAX);
        assert_eq!((small, large, double, long), ([i32::MIN, -7], [1 << 41], [0.5], [i64::MIN]));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn indices_are_checked() {
        let mut memory = [0_u32; 2];
        Atomic::new(&mut memory).fetch_add(2, 1);
    }

    #[test]
    fn two_handles_share_the_cells() {
        let mut memory = vec![0_u32; 64];
        let hits = Atomic::new(&mut memory);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || {
                    for i in 0..64 {
                        hits.fetch_add(i, i as u32);
                    }
                });
            }
        });
        assert!(memory.iter().enumerate().all(|(i, hits)| *hits == 4 * i as u32));
    }
}
