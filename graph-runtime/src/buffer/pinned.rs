//! Pinned memory of the host.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::Allocation;
use crate::device::{Backend, Device};
use crate::element::Element;
use crate::error::Result;

/// A buffer of elements in pinned memory of the host, which copies reach without a detour.
///
/// It does not deref to a slice, because a slice may only be had once the launches that write it are over.
pub struct PinnedBuffer<T: Element> {
    pub(super) allocation: Arc<Allocation>,
    pub(super) length: usize,
    pub(super) element: PhantomData<T>,
}

impl<T: Element> PinnedBuffer<T> {
    pub(crate) fn zeros(backend: &Arc<dyn Backend>, length: usize) -> Result<Self> {
        let allocation = super::allocate_zeros::<T>(backend, length, Memory::Host)?;
        Ok(Self::from_allocation(allocation, length))
    }

    pub(crate) fn of(backend: &Arc<dyn Backend>, elements: &[T]) -> Result<Self> {
        let allocation = super::allocate_from(backend, elements, Memory::Host)?;
        Ok(Self::from_allocation(allocation, elements.len()))
    }

    /// The buffer that has an allocation to itself.
    pub(crate) fn from_allocation(allocation: Arc<Allocation>, length: usize) -> Self {
        Self { allocation, length, element: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The device that it is pinned for.
    pub fn device(&self) -> Device {
        Device::of(self.allocation.backend())
    }

    /// The elements, once the launches that write them are over.
    pub fn as_slice(&self) -> Result<&[T]> {
        self.allocation.wait(false)?;
        // SAFETY: the allocation is host memory of `length` elements, initialised and aligned to at least 256 bytes; any bit pattern
        // is a `T`. Launches that write it are over, and none can be added while `self` is borrowed: a graph binds it for writing
        // only through `&mut` or by value.
        Ok(unsafe { std::slice::from_raw_parts(self.first(), self.length) })
    }

    /// The elements for writing, once the launches that use them are over.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.allocation.wait(true)?;
        // SAFETY: as in `as_slice`; every launch that uses it is over, and `self` is borrowed mutably, so no graph may name it and no
        // other slice of it exists.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.first(), self.length) })
    }

    /// The first element: where there are no bytes (no elements, or elements without size) there may be no address.
    fn first(&self) -> *mut T {
        if self.allocation.bytes() == 0 { std::ptr::dangling_mut() } else { self.allocation.address() as *mut T }
    }

    /// A copy of the elements.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        super::to_vec(&self.allocation, 0, self.length)
    }

    /// Copies the elements into a slice of the same length.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        super::read(&self.allocation, 0, into, self.length)
    }

    /// Overwrites the elements from a slice of the same length.
    pub fn write_from(&mut self, from: &[T]) -> Result<()> {
        super::write(&self.allocation, 0, from, self.length)
    }
}

impl<T: Element> fmt::Debug for PinnedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PinnedBuffer<{}>({} elements)", std::any::type_name::<T>(), self.length)
    }
}
