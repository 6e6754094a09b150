//! Buffers: memory that graphs are bound to, and views of what a graph is bound to.

mod allocation;
mod arguments;
mod back;
mod bind;
mod device_buffer;
mod kind;
mod lent;
mod list;
pub(crate) mod mailbox;
mod pinned;
mod raw;
mod shared;
mod structs;
mod view;

pub(crate) use allocation::Allocation;
pub use arguments::{Arguments, Collector, GhostReader, Layout, Leaf, Shape};
pub use back::{BoundStruct, GiveBack, Parts};
pub(crate) use bind::Exclusion;
pub use bind::{BindHostMut, BindHostRead, BindMut, BindRead, Binding, Bound};
pub use device_buffer::Buffer;
pub use kind::{HostRead, HostWrite, InMailbox, Kind, ListOf, Read, Write};
pub(crate) use lent::Lent;
pub use list::{Bind, BindList};
pub use mailbox::{BindMailbox, Mailbox, MailboxElement};
pub use pinned::PinnedBuffer;
pub(crate) use raw::Keeper;
pub use shared::Shared;
pub use structs::{BindStruct, BindStructMut, Buffers, StructRead, StructWrite};
pub use view::{Slice, SliceMut};

use std::sync::Arc;

use graph_ir::model::Memory;

use crate::device::{Backend, full};
use crate::element::Element;
use crate::error::{Error, Result};

/// Every backend aligns memory at least so.
const ALIGNMENT: usize = 256;

/// Memory for `length` elements of `T`, not filled.
fn allocate<T: Element>(backend: &Arc<dyn Backend>, length: usize, memory: Memory) -> Result<Arc<Allocation>> {
    let name = std::any::type_name::<T>();
    if align_of::<T>() > ALIGNMENT {
        return Err(Error::Buffer(format!(
            "elements of `{name}` are aligned to {} bytes; a buffer is aligned to {ALIGNMENT}",
            align_of::<T>()
        )));
    }
    let bytes = bytes_of::<T>(length)?;
    let raw = backend.allocate(bytes, memory).map_err(|error| full(&**backend, error))?;
    Ok(Allocation::new(Arc::clone(backend), raw, bytes, memory))
}

/// The size of `length` elements.
fn bytes_of<T>(length: usize) -> Result<usize> {
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    bytes.ok_or_else(|| {
        let name = std::any::type_name::<T>();
        Error::Buffer(format!("a buffer of {length} elements of `{name}` is larger than the address space"))
    })
}

/// Memory for `length` elements of `T`, all bytes zero.
fn allocate_zeros<T: Element>(backend: &Arc<dyn Backend>, length: usize, memory: Memory) -> Result<Arc<Allocation>> {
    let allocation = allocate::<T>(backend, length, memory)?;
    if allocation.bytes() > 0 {
        backend.set(allocation.address(), memory, 0, allocation.bytes())?;
    }
    Ok(allocation)
}

/// Memory with these elements.
fn allocate_from<T: Element>(backend: &Arc<dyn Backend>, elements: &[T], memory: Memory) -> Result<Arc<Allocation>> {
    let allocation = allocate::<T>(backend, elements.len(), memory)?;
    write(&allocation, 0, elements, elements.len())?;
    Ok(allocation)
}

/// Waits for conflicting uses, then copies out the `length` elements from `start` on.
fn read<T: Element>(allocation: &Allocation, start: usize, into: &mut [T], length: usize) -> Result<()> {
    same_length("copy into", into.len(), length)?;
    let _turn = allocation.turn();
    allocation.wait(false)?;
    if length == 0 {
        return Ok(());
    }
    let address = allocation.address() + (start * size_of::<T>()) as u64;
    if allocation.memory() == Memory::Mailbox {
        // SAFETY: elements of a mailbox, which the allocation keeps; the caller has compared their type.
        unsafe { mailbox::read(address, size_of::<T>(), bytemuck::cast_slice_mut(into)) };
        return Ok(());
    }
    allocation.backend().read(address, allocation.memory(), bytemuck::cast_slice_mut(into))
}

/// Waits for conflicting uses, then overwrites the `length` elements from `start` on.
fn write<T: Element>(allocation: &Allocation, start: usize, from: &[T], length: usize) -> Result<()> {
    same_length("copy from", from.len(), length)?;
    let _turn = allocation.turn();
    allocation.wait(true)?;
    if length == 0 {
        return Ok(());
    }
    let address = allocation.address() + (start * size_of::<T>()) as u64;
    if allocation.memory() == Memory::Mailbox {
        // SAFETY: elements of a mailbox, which the allocation keeps; the caller has compared their type.
        unsafe { mailbox::write(address, size_of::<T>(), bytemuck::cast_slice(from)) };
        return Ok(());
    }
    allocation.backend().write(address, allocation.memory(), bytemuck::cast_slice(from))
}

fn to_vec<T: Element>(allocation: &Allocation, start: usize, length: usize) -> Result<Vec<T>> {
    let mut elements = vec![T::zeroed(); length];
    read(allocation, start, &mut elements, length)?;
    Ok(elements)
}

fn same_length(what: &str, slice: usize, buffer: usize) -> Result<()> {
    if slice == buffer {
        return Ok(());
    }
    Err(Error::Buffer(format!("cannot {what} a slice of {slice} elements: the buffer has {buffer}")))
}
