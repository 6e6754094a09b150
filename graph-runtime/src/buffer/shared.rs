//! Memory that several graphs may write.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::bind::{BindMut, BindRead, Binding, Exclusion};
use super::{Allocation, Buffer};
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;

/// A buffer that several graphs may write, each launch in its turn. Cloning gives another handle of the same memory.
///
/// Every launch of a graph that is bound to it waits on the device for the last launch of every other graph that uses it, unless both
/// only read; every access from the host waits for the launches that conflict. What is launched first comes first. A launch that
/// changes from one graph to another costs an event and a wait in the stream; launches of one graph after another cost a look at a
/// counter. A host callback of a graph must not touch what its own launch uses: it would wait for itself.
pub struct Shared<T: Element> {
    allocation: Arc<Allocation>,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Element> Shared<T> {
    /// Shares a buffer.
    pub fn new(buffer: Buffer<T>) -> Self {
        let Buffer { allocation, length, element } = buffer;
        allocation.share();
        Self { allocation, length, element }
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

    /// A copy of the elements, once the launches that write them are over.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        super::to_vec(&self.allocation, 0, self.length)
    }

    /// Copies the elements into a slice of the same length, once the launches that write them are over.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        super::read(&self.allocation, 0, into, self.length)
    }

    /// Overwrites the elements from a slice of the same length, once the launches that use them are over.
    pub fn write_from(&self, from: &[T]) -> Result<()> {
        super::write(&self.allocation, 0, from, self.length)
    }

    /// The buffer, if this is the last handle and no graph is bound to it.
    ///
    /// # Errors
    /// Gives the handle back otherwise.
    pub fn into_buffer(mut self) -> Result<Buffer<T>, Self> {
        let Some(allocation) = Arc::get_mut(&mut self.allocation) else { return Err(self) };
        allocation.take_back();
        Ok(Buffer::from_allocation(self.allocation, self.length))
    }

    fn binding<'g>(&self) -> Binding<'g> {
        Binding::new::<T>(&self.allocation, self.length, Exclusion::Turns)
    }
}

impl<T: Element> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self { allocation: Arc::clone(&self.allocation), length: self.length, element: PhantomData }
    }
}

impl<T: Element> From<Buffer<T>> for Shared<T> {
    fn from(buffer: Buffer<T>) -> Self {
        Self::new(buffer)
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: Element> BindRead<'g, T> for Shared<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: Element> BindRead<'g, T> for &Shared<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: Element> BindMut<'g, T> for Shared<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

#[diagnostic::do_not_recommend]
impl<'g, T: Element> BindMut<'g, T> for &Shared<T> {
    fn bind(self) -> Binding<'g> {
        self.binding()
    }
}

impl<T: Element> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.allocation.backend().kind();
        write!(f, "Shared<{}>({} elements on {place})", std::any::type_name::<T>(), self.length)
    }
}
