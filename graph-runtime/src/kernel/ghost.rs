//! What launches are type-checked against: functions that take these marker types, called in code that never runs.
//!
//! Four distinct, uniquely named types without lifetimes: rustc prints them short and never coerces one into another.

use std::marker::PhantomData;

use crate::element::Element;
use crate::program::Elements;

/// `&x`
#[must_use]
pub struct Reads<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);
/// `&mut x`
#[must_use]
pub struct Updates<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);
/// `&out x`
#[must_use]
pub struct Overwrites<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);
/// `&atomic x`
#[must_use]
pub struct Atomics<T: ?Sized>(PhantomData<fn(Box<T>) -> Box<T>>);

/// What a kernel's check function returns.
pub struct Launched(());

impl Launched {
    /// The only value.
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(())
    }
}

impl Default for Launched {
    fn default() -> Self {
        Self::new()
    }
}

/// A buffer in an evaluator: its element type and its length, nothing else.
pub struct Ghost<T> {
    length: usize,
    element: PhantomData<fn(T) -> T>,
}

impl<T> Clone for Ghost<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ghost<T> {}

impl<T> Ghost<T> {
    /// A buffer of `length` elements.
    pub const fn new(length: usize) -> Self {
        Self { length, element: PhantomData }
    }

    /// Number of elements.
    pub const fn len(self) -> usize {
        self.length
    }

    /// Whether it has no elements.
    pub const fn is_empty(self) -> bool {
        self.length == 0
    }

    /// A value of the element type, as it is.
    pub fn element(self, value: T) -> T {
        value
    }

    /// `&x`
    pub fn read(self) -> Reads<[T]> {
        Reads(PhantomData)
    }

    /// `&mut x`
    pub fn update(self) -> Updates<[T]> {
        Updates(PhantomData)
    }

    /// `&out x`
    pub fn out(self) -> Overwrites<[T]> {
        Overwrites(PhantomData)
    }

    /// `&atomic x`
    pub fn atomic(self) -> Atomics<[T]> {
        Atomics(PhantomData)
    }

    /// `fill(&out x, value)`
    pub fn fill(self, _value: T) {}

    /// `copy(&self, &out to)`
    pub fn copy_to(self, _to: Overwrites<[T]>) {}

    /// `swap(&mut self, &mut other)`
    pub fn swap_with(self, _other: Updates<[T]>) {}
}

impl<T: Element> Ghost<T> {
    /// `x[i]`: a method, so that what is expected of the element does not reach the buffer's own type.
    pub fn at(self, elements: &Elements<'_>, access: u32) -> T {
        elements.get(access)
    }
}

/// A value of any type, for check code, which never runs.
pub fn hole<T>() -> T {
    // The only way to make a value of any type without unsafe code. Check functions are never called.
    #[expect(clippy::empty_loop, reason = "never runs, and must not panic")]
    loop {}
}
