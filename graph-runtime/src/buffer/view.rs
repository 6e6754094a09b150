//! Views: parts of buffers, and the buffers that a graph is bound to.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use super::bind::Exclusion;
use super::{Allocation, Binding, Buffer, Lent};
use crate::element::{Element, ElementLayout};
use crate::error::{Error, Result};

/// Reads elements of a buffer: a part of it, or what a graph is bound to. Reading waits for the last launch that writes the buffer.
///
/// It can be bound to a parameter that is read. The memory lives as long as a graph names it.
pub struct Slice<'a, T> {
    part: Part,
    lifetime: PhantomData<&'a T>,
}

/// Reads and writes elements of a buffer: a part of it, or what a graph is bound to, between launches.
///
/// It can be bound to a parameter that is written. Views that do not overlap, as [`Buffer::split_at_mut`] gives them, can be bound to
/// different graphs, or to different parameters of one.
pub struct SliceMut<'a, T> {
    part: Part,
    lifetime: PhantomData<&'a mut T>,
}

/// Elements of an allocation.
#[derive(Clone)]
struct Part {
    allocation: Arc<Allocation>,
    start: usize,
    length: usize,
    /// What lies there, which a view of a graph's may ask for as something else.
    element: ElementLayout,
    /// Of the graph whose view it is.
    lender: Option<Lent>,
}

impl Part {
    fn of_binding(binding: &Binding<'_>) -> Self {
        let allocation = Arc::clone(&binding.allocation);
        let (start, length, element) = (binding.start, binding.length, binding.element);
        Self { allocation, start, length, element, lender: None }
    }

    fn lent_by(self, lender: &Lent) -> Self {
        Self { lender: Some(lender.clone()), ..self }
    }

    fn binding<'g, T: Element>(&self, exclusion: Exclusion) -> Binding<'g> {
        self.lender.iter().for_each(Lent::lend);
        Binding::new::<T>(&self.allocation, self.length, exclusion).at(self.start, self.element)
    }

    fn part(&self, range: &impl RangeBounds<usize>) -> Result<Self> {
        let start = match range.start_bound() {
            Bound::Included(start) => Some(*start),
            Bound::Excluded(start) => start.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(end) => end.checked_add(1),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => Some(self.length),
        };
        match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= self.length => {
                Ok(Self { start: self.start + start, length: end - start, ..self.clone() })
            }
            _ => Err(self.outside(start, end)),
        }
    }

    fn outside(&self, start: Option<usize>, end: Option<usize>) -> Error {
        let text = |bound: Option<usize>| bound.map_or_else(|| "…".to_owned(), |bound| bound.to_string());
        let (start, end) = (text(start), text(end));
        Error::Buffer(format!("there is no part {start}..{end} of a buffer of {} elements", self.length))
    }

    /// Parts of `size` elements each.
    fn chunks(&self, size: usize) -> Result<Vec<Self>> {
        if size == 0 || !self.length.is_multiple_of(size) {
            return Err(Error::Buffer(format!(
                "a buffer of {} elements cannot be cut into parts of {size}\nhelp: cut off the rest first, with `split_at_mut` or `slice`",
                self.length
            )));
        }
        let part = |index| Self { start: self.start + index * size, length: size, ..self.clone() };
        Ok((0..self.length / size).map(part).collect())
    }

    fn expect<T: Element>(&self) -> Result<()> {
        if self.element == ElementLayout::of::<T>() {
            return Ok(());
        }
        let (asked, bound) = (std::any::type_name::<T>(), self.element.name);
        Err(Error::Buffer(format!("a buffer of `{bound}` cannot be viewed as elements of `{asked}`")))
    }

    fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.expect::<T>()?;
        super::to_vec(&self.allocation, self.start, self.length)
    }

    fn copy_to<T: Element>(&self, into: &mut [T]) -> Result<()> {
        self.expect::<T>()?;
        super::read(&self.allocation, self.start, into, self.length)
    }

    fn write_from<T: Element>(&self, from: &[T]) -> Result<()> {
        self.expect::<T>()?;
        super::write(&self.allocation, self.start, from, self.length)
    }
}

impl<T> Slice<'_, T> {
    /// Of a graph's buffer.
    pub(crate) fn new(binding: &Binding<'_>, lender: &Lent) -> Self {
        Self::of(Part::of_binding(binding).lent_by(lender))
    }

    fn of(part: Part) -> Self {
        Self { part, lifetime: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.part.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Element> Slice<'a, T> {
    /// A copy of the elements.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.part.to_vec()
    }

    /// Copies the elements into a slice of the same length.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        self.part.copy_to(into)
    }

    /// A part of the elements.
    ///
    /// # Errors
    /// If the range leaves the view.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self> {
        self.part.part(&range).map(Self::of)
    }

    /// Parts of `size` elements each, in order.
    ///
    /// # Errors
    /// If the number of elements is no multiple of `size`.
    pub fn chunks(&self, size: usize) -> Result<Vec<Slice<'a, T>>> {
        Ok(self.part.chunks(size)?.into_iter().map(Self::of).collect())
    }
}

impl<T> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        Self::of(self.part.clone())
    }
}

impl<T> SliceMut<'_, T> {
    /// Of a graph's buffer.
    ///
    /// # Errors
    /// If the buffer was bound through `&` or an `Arc`, so that others may be reading it.
    pub(crate) fn new(binding: &Binding<'_>, lender: &Lent, name: &str) -> Result<Self> {
        if binding.exclusion != Exclusion::Shared {
            return Ok(Self::of(Part::of_binding(binding).lent_by(lender)));
        }
        Err(Error::Buffer(format!(
            "buffer `{name}` cannot be written: it was bound through `&` or an `Arc`\n\
             help: bind `{name}` through `&mut` or by value"
        )))
    }

    fn of(part: Part) -> Self {
        Self { part, lifetime: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.part.length
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Element> SliceMut<'_, T> {
    /// A copy of the elements.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.part.to_vec()
    }

    /// Copies the elements into a slice of the same length.
    pub fn copy_to(&self, into: &mut [T]) -> Result<()> {
        self.part.copy_to(into)
    }

    /// Overwrites the elements from a slice of the same length, for the next launch.
    pub fn write_from(&mut self, from: &[T]) -> Result<()> {
        self.part.write_from(from)
    }

    /// A part of the elements, for reading.
    ///
    /// # Errors
    /// If the range leaves the view.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Slice<'_, T>> {
        self.part.part(&range).map(Slice::of)
    }

    /// A part of the elements.
    ///
    /// # Errors
    /// If the range leaves the view.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<SliceMut<'_, T>> {
        self.part.part(&range).map(SliceMut::of)
    }

    /// The elements before `middle`, and those from it on.
    ///
    /// # Errors
    /// If there are fewer than `middle`.
    pub fn split_at_mut(&mut self, middle: usize) -> Result<(SliceMut<'_, T>, SliceMut<'_, T>)> {
        Ok((SliceMut::of(self.part.part(&(..middle))?), SliceMut::of(self.part.part(&(middle..))?)))
    }

    /// Parts of `size` elements each, in order.
    ///
    /// # Errors
    /// If the number of elements is no multiple of `size`.
    pub fn chunks_mut(&mut self, size: usize) -> Result<Vec<SliceMut<'_, T>>> {
        Ok(self.part.chunks(size)?.into_iter().map(SliceMut::of).collect())
    }
}

impl<T: Element> Buffer<T> {
    fn part(&self) -> Part {
        let allocation = Arc::clone(&self.allocation);
        Part { allocation, start: 0, length: self.length, element: ElementLayout::of::<T>(), lender: None }
    }

    /// A part of the elements, for reading.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = Device::cpu().buffer_from(&[1, 2, 3, 4])?;
    /// assert_eq!(x.slice(1..3)?.to_vec()?, [2, 3]);
    /// assert!(x.slice(2..6).is_err());
    /// # Ok::<_, Error>(())
    /// ```
    ///
    /// # Errors
    /// If the range leaves the buffer.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Slice<'_, T>> {
        self.part().part(&range).map(Slice::of)
    }

    /// A part of the elements.
    ///
    /// # Errors
    /// If the range leaves the buffer.
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<SliceMut<'_, T>> {
        self.part().part(&range).map(SliceMut::of)
    }

    /// Parts of `size` elements each, in order, for reading.
    ///
    /// # Errors
    /// If the number of elements is no multiple of `size`.
    pub fn chunks(&self, size: usize) -> Result<Vec<Slice<'_, T>>> {
        Ok(self.part().chunks(size)?.into_iter().map(Slice::of).collect())
    }

    /// Parts of `size` elements each, in order. They can be bound to different parameters, or as a list.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let mut x = Device::cpu().buffer_from(&[1, 2, 3, 4])?;
    /// let mut halves = x.chunks_mut(2)?;
    /// halves[1].write_from(&[30, 40])?;
    /// assert_eq!(x.to_vec()?, [1, 2, 30, 40]);
    /// assert!(x.chunks_mut(3).is_err());
    /// # Ok::<_, Error>(())
    /// ```
    ///
    /// # Errors
    /// If the number of elements is no multiple of `size`.
    pub fn chunks_mut(&mut self, size: usize) -> Result<Vec<SliceMut<'_, T>>> {
        Ok(self.part().chunks(size)?.into_iter().map(SliceMut::of).collect())
    }

    /// The elements before `middle`, and those from it on.
    ///
    /// # Errors
    /// If there are fewer than `middle`.
    pub fn split_at_mut(&mut self, middle: usize) -> Result<(SliceMut<'_, T>, SliceMut<'_, T>)> {
        let whole = self.part();
        Ok((SliceMut::of(whole.part(&(..middle))?), SliceMut::of(whole.part(&(middle..))?)))
    }
}

macro_rules! bind_views {
    ($($trait:ident for $view:ty, $exclusion:ident;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl<'g, T: Element> super::$trait<'g, T> for $view {
            fn bind(self) -> Binding<'g> {
                self.part.binding::<T>(Exclusion::$exclusion)
            }
        })*
    };
}

bind_views! {
    BindRead for Slice<'g, T>, Shared;
    BindRead for &'g Slice<'_, T>, Shared;
    BindRead for &'g SliceMut<'_, T>, Shared;
    BindMut for SliceMut<'g, T>, Borrowed;
    BindMut for &'g mut SliceMut<'_, T>, Borrowed;
}

impl<T> fmt::Debug for Slice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slice({} elements of {})", self.part.length, self.part.element.name)
    }
}

impl<T> fmt::Debug for SliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SliceMut({} elements of {})", self.part.length, self.part.element.name)
    }
}

impl Binding<'_> {
    /// A view's element type is the bound buffer's.
    pub(super) fn expect<T: Element>(&self) -> Result<()> {
        Part::of_binding(self).expect::<T>()
    }
}
