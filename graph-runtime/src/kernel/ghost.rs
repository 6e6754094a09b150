//! What launches are type-checked against: functions that take these marker types, called in code that never runs.
//!
//! Four distinct, uniquely named types without lifetimes: rustc prints them short and never coerces one into another.

use std::marker::PhantomData;

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

/// A buffer in check code: knows its element type and nothing else.
pub struct Ghost<T>(PhantomData<fn(T) -> T>);

impl<T> Default for Ghost<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> Ghost<T> {
    /// `&x`
    pub fn read(&self) -> Reads<[T]> {
        Reads(PhantomData)
    }

    /// `&mut x`
    pub fn update(&self) -> Updates<[T]> {
        Updates(PhantomData)
    }

    /// `&out x`
    pub fn out(&self) -> Overwrites<[T]> {
        Overwrites(PhantomData)
    }

    /// `&atomic x`
    pub fn atomic(&self) -> Atomics<[T]> {
        Atomics(PhantomData)
    }

    /// `fill(&out x, value)`
    pub fn fill(&self, _value: T) {}

    /// `copy(&self, &out to)`
    pub fn copy_to(&self, _to: &Self) {}

    /// `swap(&mut self, &mut other)`
    pub fn swap_with(&self, _other: &Self) {}
}

/// A value of any type, for check code, which never runs.
pub fn hole<T>() -> T {
    // The only way to make a value of any type without unsafe code. Check functions are never called.
    #[expect(clippy::empty_loop, reason = "never runs, and must not panic")]
    loop {}
}
