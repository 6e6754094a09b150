//! Allocation and copies. The context is current.

use std::ffi::c_void;

use cudarc::driver::sys::{self, CUdeviceptr};

use super::error::{Failure, check};
use super::{Stream, functions};

/// Device memory, in stream order.
pub(in crate::cuda) fn allocate_in_order(bytes: usize, stream: &Stream) -> Result<u64, Failure> {
    let mut address: CUdeviceptr = 0;
    // SAFETY: the stream is alive and `address` is a valid place.
    check(unsafe { functions::cuMemAllocAsync(&raw mut address, bytes, stream.raw()) })?;
    Ok(address)
}

/// Device memory for devices without pools.
pub(in crate::cuda) fn allocate(bytes: usize) -> Result<u64, Failure> {
    let mut address: CUdeviceptr = 0;
    // SAFETY: `address` is a valid place.
    check(unsafe { functions::cuMemAlloc_v2(&raw mut address, bytes) })?;
    Ok(address)
}

/// Frees what [`allocate_in_order`] gave, once the stream gets there.
///
/// # Safety
/// The address is of that function, not freed yet, and nothing that is not ordered before the stream's end uses it.
pub(in crate::cuda) unsafe fn free_in_order(address: u64, stream: &Stream) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemFreeAsync(address, stream.raw()) })
}

/// Frees what [`allocate`] gave.
///
/// # Safety
/// The address is of that function, not freed yet, and nothing uses it any more.
pub(in crate::cuda) unsafe fn free(address: u64) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemFree_v2(address) })
}

/// How much of the device's memory is free, and how much there is.
pub(in crate::cuda) fn free_and_total() -> Result<[u64; 2], Failure> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: both are valid places.
    check(unsafe { functions::cuMemGetInfo_v2(&raw mut free, &raw mut total) })?;
    Ok([free as u64, total as u64])
}

/// Page-locked host memory that every context may use and that devices see at the same address.
pub(in crate::cuda) fn allocate_pinned(bytes: usize) -> Result<u64, Failure> {
    let mut address: *mut c_void = std::ptr::null_mut();
    let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
    // SAFETY: `address` is a valid place.
    check(unsafe { functions::cuMemHostAlloc(&raw mut address, bytes, flags) })?;
    Ok(address as u64)
}

/// Frees what [`allocate_pinned`] gave.
///
/// # Safety
/// The address is of that function, not freed yet, and nothing uses it any more.
pub(in crate::cuda) unsafe fn free_pinned(address: u64) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemFreeHost(address as *mut c_void) })
}

/// From any host memory to the device.
///
/// # Safety
/// `address` has `bytes.len()` bytes, and `bytes` lives until the stream gets there.
pub(in crate::cuda) unsafe fn copy_from_host(address: u64, bytes: &[u8], stream: &Stream) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemcpyHtoDAsync_v2(address, bytes.as_ptr().cast(), bytes.len(), stream.raw()) })
}

/// From the device to any host memory.
///
/// # Safety
/// `address` has `bytes.len()` bytes, and `bytes` lives and is not looked at until the stream gets there.
pub(in crate::cuda) unsafe fn copy_to_host(bytes: &mut [u8], address: u64, stream: &Stream) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), address, bytes.len(), stream.raw()) })
}

/// Between any two places with unified addresses.
///
/// # Safety
/// Both have `bytes` bytes until the stream gets there.
pub(in crate::cuda) unsafe fn copy(to: u64, from: u64, bytes: usize, stream: &Stream) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemcpyAsync(to, from, bytes, stream.raw()) })
}

/// Sets bytes of device memory.
///
/// # Safety
/// `address` has `bytes` bytes until the stream gets there.
pub(in crate::cuda) unsafe fn set_bytes(address: u64, byte: u8, bytes: usize, stream: &Stream) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    check(unsafe { functions::cuMemsetD8Async(address, byte, bytes, stream.raw()) })
}

/// What the driver knows about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct PointerFacts {
    /// Whether it is device memory, or managed memory, which devices reach.
    pub(in crate::cuda) on_device: bool,
    /// Of the device that the memory belongs to.
    pub(in crate::cuda) ordinal: i32,
    /// The first byte of the allocation, and its size, where the driver tells.
    pub(in crate::cuda) range: Option<(u64, u64)>,
}

/// Asks for what is known about an address; an error if it is not the driver's.
pub(in crate::cuda) fn pointer_facts(address: u64) -> Result<PointerFacts, Failure> {
    use sys::CUpointer_attribute as Attribute;
    let kind = pointer_attribute::<u32>(Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address)?;
    let managed = pointer_attribute::<u32>(Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED, address).unwrap_or(0);
    let ordinal = pointer_attribute::<i32>(Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address)?;
    let start = pointer_attribute::<u64>(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address);
    let size = pointer_attribute::<u64>(Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE, address);
    let on_device = kind == sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32 || managed != 0;
    Ok(PointerFacts { on_device, ordinal, range: start.ok().zip(size.ok()) })
}

/// An attribute of four or eight bytes.
fn pointer_attribute<T: bytemuck::Pod>(attribute: sys::CUpointer_attribute, address: u64) -> Result<T, Failure> {
    let mut value = T::zeroed();
    // SAFETY: `value` is a place of the size that the attribute has; any address may be asked about.
    check(unsafe { functions::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) })?;
    Ok(value)
}
