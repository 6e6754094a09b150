//! How buffers are bound to a graph's parameters, and come back.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_ir::model::Memory;

use super::{Allocation, Buffer, PinnedBuffer};
use crate::element::{Element, ElementLayout};

/// Who else may name the buffer while the graph does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exclusion {
    /// Bound through `&` or an `Arc`: others may read.
    Shared,
    /// Bound through `&mut`.
    Borrowed,
    /// Bound by value.
    Owned,
    /// A [`Shared`](super::Shared), where others may read and write, each in its turn, or a [`Mailbox`](super::Mailbox).
    Turns,
}

/// A buffer on its way to a parameter.
pub struct Binding<'g> {
    pub(crate) allocation: Arc<Allocation>,
    /// The first of its elements in the allocation.
    pub(crate) start: usize,
    pub(crate) length: usize,
    pub(crate) element: ElementLayout,
    pub(crate) exclusion: Exclusion,
    /// The user's `Arc`, which must not become the only one while a graph reads.
    shared: Option<Arc<dyn Any + Send + Sync>>,
    lifetime: PhantomData<&'g mut ()>,
}

impl Binding<'_> {
    /// Of the first element, in bytes from the allocation's start.
    pub(crate) fn offset(&self) -> u64 {
        (self.start * self.element.size) as u64
    }

    /// What lies in it, once nobody writes it.
    pub(crate) fn contents(&self) -> crate::Result<Vec<u8>> {
        let bytes = self.bytes();
        super::to_vec(&self.allocation, bytes.start as usize, (bytes.end - bytes.start) as usize)
    }

    /// Overwrites it, once nobody uses it.
    pub(crate) fn put_contents(&self, contents: &[u8]) -> crate::Result<()> {
        let bytes = self.bytes();
        super::write(&self.allocation, bytes.start as usize, contents, (bytes.end - bytes.start) as usize)
    }

    /// Its bytes in the allocation.
    pub(crate) fn bytes(&self) -> std::ops::Range<u64> {
        let start = self.offset();
        start..start + (self.length * self.element.size) as u64
    }

    /// The same from another element on, of what lies there.
    pub(super) fn at(self, start: usize, element: ElementLayout) -> Self {
        Self { start, element, ..self }
    }

    /// Whether its elements are `T`.
    pub(super) fn is<T: Element>(&self) -> bool {
        self.element == ElementLayout::of::<T>()
    }

    /// Whether it belongs to a struct that the graph owns, with which it comes back.
    pub(crate) fn is_kept(&self) -> bool {
        self.exclusion == Exclusion::Owned && self.shared.is_some()
    }

    /// The same, with what must live as long.
    pub(super) fn kept_by(self, owner: Option<Arc<dyn Any + Send + Sync>>) -> Self {
        Self { shared: owner, ..self }
    }

    pub(super) fn new<T: Element>(allocation: &Arc<Allocation>, length: usize, exclusion: Exclusion) -> Self {
        let (allocation, element) = (Arc::clone(allocation), ElementLayout::of::<T>());
        Self { allocation, start: 0, length, element, exclusion, shared: None, lifetime: PhantomData }
    }

    /// Memory of a graph's own, as a view sees it.
    pub(crate) fn owned_memory(allocation: Arc<Allocation>, length: usize, element: ElementLayout) -> Self {
        Self { allocation, start: 0, length, element, exclusion: Exclusion::Owned, shared: None, lifetime: PhantomData }
    }
}

impl fmt::Debug for Binding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binding({} elements of {}, {:?})", self.length, self.element.name, self.exclusion)
    }
}

/// What a `&[T]` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is read as `&[{T}]`",
    label = "expected `&Buffer<{T}>`, `Buffer<{T}>`, `Arc<Buffer<{T}>>`, `Shared<{T}>` or a `Slice` of one"
)]
pub trait BindRead<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind(self) -> Binding<'g>;
}

/// What a `&mut [T]` or `&out [T]` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is written as `&mut [{T}]` or `&out [{T}]`",
    label = "expected `&mut Buffer<{T}>`, `Buffer<{T}>`, `Shared<{T}>` or a `SliceMut` of one"
)]
pub trait BindMut<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind(self) -> Binding<'g>;
}

/// What a `&host [T]` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is read as `&host [{T}]`",
    label = "expected `&PinnedBuffer<{T}>`, `PinnedBuffer<{T}>` or `Arc<PinnedBuffer<{T}>>`"
)]
pub trait BindHostRead<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind(self) -> Binding<'g>;
}

/// What a `&mut host [T]` or `&out host [T]` parameter may be bound to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound to a parameter that is written as `&mut host [{T}]` or `&out host [{T}]`",
    label = "expected `&mut PinnedBuffer<{T}>` or `PinnedBuffer<{T}>`"
)]
pub trait BindHostMut<'g, T> {
    /// The binding.
    #[doc(hidden)]
    fn bind(self) -> Binding<'g>;
}

macro_rules! bindable {
    ($buffer:ident, $read:ident, $write:ident) => {
        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $read<'g, T> for &'g $buffer<T> {
            fn bind(self) -> Binding<'g> {
                Binding::new::<T>(&self.allocation, self.length, Exclusion::Shared)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $read<'g, T> for $buffer<T> {
            fn bind(self) -> Binding<'g> {
                Binding::new::<T>(&self.allocation, self.length, Exclusion::Owned)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $read<'g, T> for Arc<$buffer<T>> {
            fn bind(self) -> Binding<'g> {
                let mut binding = Binding::new::<T>(&self.allocation, self.length, Exclusion::Shared);
                binding.shared = Some(self);
                binding
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $write<'g, T> for &'g mut $buffer<T> {
            fn bind(self) -> Binding<'g> {
                Binding::new::<T>(&self.allocation, self.length, Exclusion::Borrowed)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'g, T: Element> $write<'g, T> for $buffer<T> {
            fn bind(self) -> Binding<'g> {
                Binding::new::<T>(&self.allocation, self.length, Exclusion::Owned)
            }
        }
    };
}

bindable!(Buffer, BindRead, BindMut);
bindable!(PinnedBuffer, BindHostRead, BindHostMut);

/// A buffer that a graph no longer names. Launches that are still running may use it; reading it waits for them.
pub struct Bound<'g, T> {
    binding: Binding<'g>,
    element: PhantomData<T>,
}

impl<'g, T> Bound<'g, T> {
    /// The binding of a parameter whose elements are `T`.
    #[doc(hidden)]
    pub fn new(binding: Binding<'g>) -> Self {
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
}

impl<'g, T: Element> Bound<'g, T> {
    /// A copy of the elements.
    pub fn to_vec(&self) -> crate::Result<Vec<T>> {
        self.binding.expect::<T>()?;
        super::to_vec(&self.binding.allocation, self.binding.start, self.binding.length)
    }

    /// The device buffer, if it was bound by value.
    pub fn into_buffer(self) -> Option<Buffer<T>> {
        let Binding { allocation, length, .. } = self.owned(Memory::Device)?;
        Some(Buffer::from_allocation(allocation, length))
    }

    /// The pinned buffer, if it was bound by value.
    pub fn into_pinned(self) -> Option<PinnedBuffer<T>> {
        let Binding { allocation, length, .. } = self.owned(Memory::Host)?;
        Some(PinnedBuffer::from_allocation(allocation, length))
    }

    /// The `Arc<Buffer<T>>` or `Arc<PinnedBuffer<T>>`, if it was bound through one.
    pub fn into_shared<B: Send + Sync + 'static>(self) -> Option<Arc<B>> {
        self.binding.shared?.downcast().ok()
    }

    fn owned(self, memory: Memory) -> Option<Binding<'g>> {
        let owned = self.binding.exclusion == Exclusion::Owned && self.binding.allocation.memory() == memory;
        (owned && self.binding.element == ElementLayout::of::<T>()).then_some(self.binding)
    }
}

impl<T> fmt::Debug for Bound<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bound({:?})", self.binding)
    }
}
