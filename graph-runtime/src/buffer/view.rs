//! Views of the buffers that a graph is bound to.

use std::marker::PhantomData;

use super::Binding;
use super::bind::Exclusion;
use crate::element::{Element, ElementLayout};
use crate::error::{Error, Result};

/// Reads a buffer that a graph is bound to. Reading waits for the last launch that writes it.
#[derive(Debug)]
pub struct Slice<'a, T: Element> {
    binding: &'a Binding<'a>,
    element: PhantomData<T>,
}

/// Reads and writes a buffer that a graph is bound to, between launches.
#[derive(Debug)]
pub struct SliceMut<'a, T: Element> {
    binding: &'a Binding<'a>,
    element: PhantomData<&'a mut T>,
}

impl<'a, T: Element> Slice<'a, T> {
    pub(crate) fn new(binding: &'a Binding<'a>) -> Self {
        Self { binding, element: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.binding.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of the elements.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.binding.expect::<T>()?;
        super::to_vec(&self.binding.allocation, self.binding.length)
    }

    /// Copies the elements into a slice of the same length.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        self.binding.expect::<T>()?;
        super::read(&self.binding.allocation, into, self.binding.length)
    }
}

impl<'a, T: Element> SliceMut<'a, T> {
    /// # Errors
    /// If the buffer was bound through `&` or an `Arc`, so that others may be reading it.
    pub(crate) fn new(binding: &'a Binding<'a>, name: &str) -> Result<Self> {
        if binding.exclusion != Exclusion::Shared {
            return Ok(Self { binding, element: PhantomData });
        }
        Err(Error::Buffer(format!(
            "buffer `{name}` cannot be written: it was bound through `&` or an `Arc`\n\
             help: bind `{name}` through `&mut` or by value"
        )))
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.binding.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of the elements.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        Slice::new(self.binding).to_vec()
    }

    /// Copies the elements into a slice of the same length.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        Slice::new(self.binding).copy_to(into)
    }

    /// Overwrites the elements from a slice of the same length, for the next launch.
    pub fn write_from(&mut self, from: &[T]) -> Result<()> {
        self.binding.expect::<T>()?;
        super::write(&self.binding.allocation, from, self.binding.length)
    }
}

impl Binding<'_> {
    /// A view's element type is the bound buffer's.
    pub(super) fn expect<T: Element>(&self) -> Result<()> {
        if self.element == ElementLayout::of::<T>() {
            return Ok(());
        }
        let (asked, bound) = (std::any::type_name::<T>(), self.element.name);
        Err(Error::Buffer(format!("a buffer of `{bound}` cannot be viewed as elements of `{asked}`")))
    }
}
