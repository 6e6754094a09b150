//! Memory that somebody else allocated.

use std::sync::Mutex;

use graph_ir::model::Memory;

use super::{Allocation, Buffer};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};

/// What keeps memory alive that is not ours.
pub(crate) struct Keeper {
    /// Never looked at, only dropped, so that `Send` is enough for threads to share it.
    owner: Mutex<Box<dyn Send>>,
}

impl Keeper {
    fn new(owner: impl Send + 'static) -> Self {
        Self { owner: Mutex::new(Box::new(owner)) }
    }
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let held = if self.owner.is_poisoned() { "poisoned" } else { "held" };
        write!(f, "Keeper({held})")
    }
}

impl<T: Element> Buffer<T> {
    /// A buffer that is memory of somebody else's: a tensor's, another library's. `owner` is what keeps that memory alive; it is dropped
    /// once the buffer is gone and the last launch that uses it is over.
    ///
    /// `address` is a device address on a CUDA device, an exposed address of the host on the CPU.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let device = Device::cpu();
    /// let mut data = vec![1.0_f32, 2.0, 3.0];
    /// let (address, length) = (data.as_mut_ptr().expose_provenance() as u64, data.len());
    /// // SAFETY: the vector's memory is its own, it moves into the buffer with its memory, and nobody else looks at it.
    /// let x = unsafe { Buffer::<f32>::from_raw_parts(&device, address, length, data) }?;
    /// assert_eq!(x.to_vec()?, [1.0, 2.0, 3.0]);
    /// # Ok::<_, Error>(())
    /// ```
    ///
    /// # Safety
    /// - From `address` on there are `length` elements of `T`, initialised, and they stay there as long as `owner` is not dropped.
    /// - Work of others on them is over, or ordered before every launch that uses the buffer; none of others is begun while the buffer
    ///   or a graph that names it exists. Where all only read, that is allowed.
    ///
    /// # Errors
    /// If the address is null or not aligned for `T`, or, on a CUDA device, if the driver knows that it is not `length` elements of this
    /// device's memory.
    pub unsafe fn from_raw_parts(
        device: &Device,
        address: u64,
        length: usize,
        owner: impl Send + 'static,
    ) -> Result<Self> {
        let bytes = super::bytes_of::<T>(length)?;
        if bytes == 0 {
            return device.zeros(length);
        }
        check::<T>(address, length)?;
        // SAFETY: the caller's promise.
        let raw = unsafe { device.backend().adopt(address, bytes, Keeper::new(owner)) }?;
        let allocation = Allocation::new(std::sync::Arc::clone(device.backend()), raw, bytes, Memory::Device);
        Ok(Self::from_allocation(allocation, length))
    }
}

fn check<T>(address: u64, length: usize) -> Result<()> {
    let (name, align) = (std::any::type_name::<T>(), align_of::<T>());
    if address == 0 {
        return Err(Error::Buffer(format!("a buffer of {length} elements of `{name}` cannot lie at address 0")));
    }
    if !address.is_multiple_of(align as u64) {
        return Err(Error::Buffer(format!(
            "a buffer of `{name}` cannot lie at {address:#x}, which is no multiple of {align}"
        )));
    }
    Ok(())
}
