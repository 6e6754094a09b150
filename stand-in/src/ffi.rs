//! Places that C callers hand over.

use std::ffi::{CStr, c_char};

use crate::call::Refusal;

/// A place to write an answer to; only callers of the exported functions make one.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

/// Values to read; only callers of the exported functions make one.
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

/// A text that ends with NUL; only callers of the exported functions make one.
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> Out<T> {
    /// Writes a value; a null place is refused.
    pub(crate) fn put(self, value: T) -> Result<(), Refusal> {
        if self.0.is_null() {
            return Err(Refusal::INVALID_VALUE);
        }
        // SAFETY: CUDA's header wants a valid place, and only its callers make this type.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Writes the value at an index of an array.
    pub(crate) fn put_at(self, index: usize, value: T) {
        // SAFETY: CUDA's header wants an array that is this long, and only its callers make this type.
        unsafe { self.0.add(index).write_unaligned(value) };
    }

    /// For functions whose meaning depends on it.
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// For fields that are read and written one by one.
    pub(crate) fn pointer(self) -> *mut T {
        self.0
    }
}

impl<T: Copy> In<T> {
    /// Values behind a pointer that a struct of a caller's has.
    pub(crate) fn of(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// The value at an index of an array.
    pub(crate) fn at(self, index: usize) -> T {
        // SAFETY: CUDA's header wants an array that is this long, and only its callers make this type.
        unsafe { self.0.add(index).read_unaligned() }
    }

    /// An array; none at all may be null.
    pub(crate) fn slice(self, count: usize) -> Vec<T> {
        (0..count).map(|index| self.at(index)).collect()
    }
}

impl<T> In<T> {
    /// For functions whose meaning depends on it.
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// For fields that are read one by one.
    pub(crate) fn pointer(self) -> *const T {
        self.0
    }
}

impl Text {
    /// Characters that end with NUL.
    pub(crate) fn of(characters: In<c_char>) -> Self {
        Self(characters.0)
    }

    /// The text.
    pub(crate) fn read(&self) -> Result<String, Refusal> {
        if self.0.is_null() {
            return Err(Refusal::INVALID_VALUE);
        }
        // SAFETY: not null, and CUDA's header wants a text that ends with NUL; only its callers make this type.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}
