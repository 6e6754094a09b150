//! Pinned memory that host and device look at while a graph runs, element by element.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use graph_ir::model::Memory;

use super::bind::{Binding, Exclusion};
use super::{Allocation, allocate};
use crate::device::{Backend, Device};
use crate::element::Element;
use crate::error::{Error, Result};

/// An element of a [`Mailbox`]: a number of 4 or 8 bytes, which host and device each read and write as a whole.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the element of a mailbox",
    label = "not `u32`, `i32`, `f32`, `u64`, `i64` or `f64`",
    note = "host and device look at it at once, so it must be a number that both read and write as a whole"
)]
pub trait MailboxElement: Element + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($name:ty),*) => {
        $(
            impl sealed::Sealed for $name {}
            #[diagnostic::do_not_recommend]
            impl MailboxElement for $name {}
        )*
    };
}

elements!(u32, i32, f32, u64, i64, f64);

/// A few numbers that the host reads and writes while a graph runs: what a loop says of its progress, or that it is to end. Cloning gives
/// another handle of the same numbers; any thread may use any of them, at any time.
///
/// A graph takes it as a `&mailbox [T; n]` or a `&mut mailbox [T; n]`. Nothing waits for anything: each number is read and written as a
/// whole, and which of two writes is the later one is for the program to know. Two numbers that are read one after the other may be of
/// two passes.
pub struct Mailbox<T> {
    allocation: Arc<Allocation>,
    length: usize,
    element: PhantomData<T>,
}

impl<T: MailboxElement> Mailbox<T> {
    pub(crate) fn of(backend: &Arc<dyn Backend>, elements: &[T]) -> Result<Self> {
        let allocation = allocate::<T>(backend, elements.len(), Memory::Mailbox)?;
        let mailbox = Self { allocation, length: elements.len(), element: PhantomData };
        for (index, element) in elements.iter().enumerate() {
            mailbox.set(index, *element)?;
        }
        Ok(mailbox)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The device whose graphs may take it.
    pub fn device(&self) -> Device {
        Device::of(self.allocation.backend())
    }

    /// The number at an index, as it is now.
    ///
    /// # Errors
    /// If there is none.
    pub fn get(&self, index: usize) -> Result<T> {
        let mut element = T::zeroed();
        // SAFETY: `address` gives that of an element of the allocation, which `self` keeps and which everybody reads and writes so.
        unsafe { read(self.address(index)?, size_of::<T>(), bytemuck::bytes_of_mut(&mut element)) };
        Ok(element)
    }

    /// Sets the number at an index: tests and assignments of a running graph see it from here on.
    ///
    /// # Errors
    /// If there is none.
    pub fn set(&self, index: usize, element: T) -> Result<()> {
        // SAFETY: as in `get`.
        unsafe { write(self.address(index)?, size_of::<T>(), bytemuck::bytes_of(&element)) };
        Ok(())
    }

    fn address(&self, index: usize) -> Result<u64> {
        if index < self.length {
            return Ok(self.allocation.address() + (index * size_of::<T>()) as u64);
        }
        let elements = if self.length == 1 { "1 element".to_owned() } else { format!("{} elements", self.length) };
        Err(Error::Buffer(format!("there is no element {index} of a mailbox of {elements}")))
    }

    fn binding<'g>(&self) -> Binding<'g> {
        Binding::new::<T>(&self.allocation, self.length, Exclusion::Turns)
    }
}

impl<T> Clone for Mailbox<T> {
    fn clone(&self) -> Self {
        Self { allocation: Arc::clone(&self.allocation), length: self.length, element: PhantomData }
    }
}

impl<T: MailboxElement + fmt::Debug> fmt::Debug for Mailbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.length).filter_map(|index| self.get(index).ok())).finish()
    }
}

/// What a `&mailbox [T]` or `&mut mailbox [T]` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is a `mailbox [{T}]`",
    label = "expected `&Mailbox<{T}>` or `Mailbox<{T}>`"
)]
pub trait BindMailbox<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind(self) -> Binding<'g>;
}

#[diagnostic::do_not_recommend]
impl<'g, T: MailboxElement> BindMailbox<'g, T> for &Mailbox<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: MailboxElement> BindMailbox<'g, T> for Mailbox<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

/// The bits of one element of 4 or 8 bytes; 0 of any other size, which no mailbox has.
///
/// # Safety
/// The address is that of such an element of a mailbox, aligned to its size, that is there meanwhile. All others that touch it do so by
/// this function and [`store`], or by single instructions of a device.
pub(crate) unsafe fn load(address: u64, size: usize) -> u64 {
    match size {
        // SAFETY: the contract.
        4 => u64::from(unsafe { AtomicU32::from_ptr(address as *mut u32) }.load(Ordering::Relaxed)),
        // SAFETY: the contract.
        8 => unsafe { AtomicU64::from_ptr(address as *mut u64) }.load(Ordering::Relaxed),
        _ => 0,
    }
}

/// Sets one element of 4 or 8 bytes to the low bits of a word.
///
/// # Safety
/// As for [`load`].
pub(crate) unsafe fn store(address: u64, size: usize, bits: u64) {
    match size {
        // SAFETY: the contract.
        4 => unsafe { AtomicU32::from_ptr(address as *mut u32) }.store(bits as u32, Ordering::Relaxed),
        // SAFETY: the contract.
        8 => unsafe { AtomicU64::from_ptr(address as *mut u64) }.store(bits, Ordering::Relaxed),
        _ => {}
    }
}

/// Copies elements out of a mailbox, each as a whole.
///
/// # Safety
/// As for [`load`], for all elements of `size` bytes from `address` on; there are as many bytes as `into` has.
pub(crate) unsafe fn read(address: u64, size: usize, into: &mut [u8]) {
    for (place, bytes) in (address..).step_by(size).zip(into.chunks_exact_mut(size)) {
        // SAFETY: the contract.
        let bits = unsafe { load(place, size) }.to_le_bytes();
        bytes.copy_from_slice(&bits[..size]);
    }
}

/// The same to it.
///
/// # Safety
/// As for [`read`].
pub(crate) unsafe fn write(address: u64, size: usize, from: &[u8]) {
    for (place, bytes) in (address..).step_by(size).zip(from.chunks_exact(size)) {
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(bytes);
        // SAFETY: the contract.
        unsafe { store(place, size, u64::from_le_bytes(bits)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        let device = Device::cpu();
        let words = device.mailbox(&[1_u32, u32::MAX, 7]).unwrap();
        words.set(2, 0x8000_0001).unwrap();
        assert_eq!([0, 1, 2].map(|index| words.get(index).unwrap()), [1, u32::MAX, 0x8000_0001]);
        let floats = device.mailbox(&[f64::MIN_POSITIVE, -0.0]).unwrap();
        assert_eq!((floats.get(0).unwrap(), floats.get(1).unwrap().to_bits()), (f64::MIN_POSITIVE, 1 << 63));
        let error = words.clone().set(3, 0).unwrap_err().to_string();
        assert!(error.contains("there is no element 3 of a mailbox of 3 elements"), "{error}");
        assert_eq!(format!("{words:?}"), "[1, 4294967295, 2147483649]");
    }
}
