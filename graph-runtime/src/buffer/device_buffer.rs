//! Memory of a device.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::Allocation;
use crate::device::{Backend, Device};
use crate::element::Element;
use crate::error::Result;

/// A buffer of elements in a device's memory.
///
/// Reading and writing first wait for the launches that still use it, whether or not their graph is alive.
pub struct Buffer<T: Element> {
    pub(super) allocation: Arc<Allocation>,
    pub(super) length: usize,
    pub(super) element: PhantomData<T>,
}

impl<T: Element> Buffer<T> {
    pub(crate) fn zeros(backend: &Arc<dyn Backend>, length: usize) -> Result<Self> {
        let allocation = super::allocate_zeros::<T>(backend, length, Memory::Device)?;
        Ok(Self::from_allocation(allocation, length))
    }

    pub(crate) fn of(backend: &Arc<dyn Backend>, elements: &[T]) -> Result<Self> {
        let allocation = super::allocate_from(backend, elements, Memory::Device)?;
        Ok(Self::from_allocation(allocation, elements.len()))
    }

    /// The buffer that has an allocation to itself.
    pub(crate) fn from_allocation(allocation: Arc<Allocation>, length: usize) -> Self {
        Self { allocation, length, element: PhantomData }
    }

    /// Its memory and its number of elements.
    #[cfg(feature = "cuda")]
    pub(crate) fn into_allocation(self) -> (Arc<Allocation>, usize) {
        (self.allocation, self.length)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Where it lies.
    pub fn device(&self) -> Device {
        Device::of(self.allocation.backend())
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

impl<T: Element> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.allocation.backend().kind();
        write!(f, "Buffer<{}>({} elements on {place})", std::any::type_name::<T>(), self.length)
    }
}
