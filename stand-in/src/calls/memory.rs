//! Memory: host memory stands for the device's, at addresses of its own.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{c_int, c_uint};

use cudarc::driver::sys::{CUmemorytype, CUpointer_attribute as Attribute};

use crate::call::{Outcome, Refusal, export};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::ffi::Out;
use crate::objects::{Block, Id, Kind};

/// As the driver aligns what it allocates.
const ALIGNMENT: usize = 256;

export!("cuMemAlloc_v2", fn allocate(driver, address: Out<u64>, bytes: usize) {
    driver.current()?;
    let id = make(driver, bytes, Kind::Device)?;
    address.put(id.0)?;
    Ok(Some(id))
});

export!("cuMemAllocAsync", fn allocate_in_order(driver, address: Out<u64>, bytes: usize, stream: Id) {
    driver.current()?;
    if driver.stream(stream)?.capture.is_some() {
        return driver.refuse("R274", Refusal::NOT_SUPPORTED, "memory is allocated in a capture");
    }
    room(driver, bytes)?;
    let (moment, _) = driver.put(stream, &Clock::default())?;
    let id = make(driver, bytes, Kind::Pool(moment))?;
    address.put(id.0)?;
    Ok(Some(id))
});

export!("cuMemHostAlloc", fn allocate_pinned(driver, address: Out<u64>, bytes: usize, _flags: c_uint) {
    driver.current()?;
    let id = make(driver, bytes, Kind::Pinned)?;
    address.put(id.0)?;
    Ok(Some(id))
});

export!("cuMemFree_v2", fn free(driver, address: Id) {
    driver.current()?;
    let over = driver.over.clone();
    driver.ordered(address.0, None, &over);
    release(driver, address, &over, |kind| kind != Kind::Pinned)
});

export!("cuMemFreeHost", fn free_pinned(driver, address: Id) {
    driver.current()?;
    let over = driver.over.clone();
    driver.ordered(address.0, None, &over);
    release(driver, address, &over, |kind| kind == Kind::Pinned)
});

export!("cuMemFreeAsync", fn free_in_order(driver, address: Id, stream: Id) {
    driver.current()?;
    let (moment, mut before) = driver.put(stream, &Clock::default())?;
    before.join(&driver.over);
    driver.ordered(address.0, Some(moment), &before);
    release(driver, address, &before, |kind| matches!(kind, Kind::Pool(_)))
});

export!("cuMemGetInfo_v2", fn figures(driver, free: Out<usize>, total: Out<usize>) {
    driver.current()?;
    free.put(driver.config.memory.saturating_sub(driver.used()) as usize)?;
    total.put(driver.config.memory as usize)?;
    Ok(None)
});

export!("cuPointerGetAttribute", fn attribute(driver, value: Out<u64>, attribute: u32, address: u64) {
    let Some((start, block)) = driver.block(address) else { return Err(Refusal::INVALID_VALUE) };
    let pinned = block.kind == Kind::Pinned;
    let memory = if pinned { CUmemorytype::CU_MEMORYTYPE_HOST } else { CUmemorytype::CU_MEMORYTYPE_DEVICE };
    let bytes = block.bytes;
    let narrow = |number: u32| Narrow(value).put(number);
    match attribute {
        one if one == Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE as u32 => narrow(memory as u32)?,
        one if one == Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED as u32 => narrow(0)?,
        one if one == Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL as u32 => narrow(0)?,
        one if one == Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR as u32 => value.put(start.0)?,
        one if one == Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE as u32 => value.put(bytes)?,
        _ => return Err(Refusal::INVALID_VALUE),
    }
    Ok(None)
});

/// A place of four bytes.
struct Narrow(Out<u64>);

impl Narrow {
    fn put(&self, number: u32) -> Outcome {
        let place: *mut c_int = self.0.pointer().cast();
        if place.is_null() {
            return Err(Refusal::INVALID_VALUE);
        }
        // SAFETY: the attribute has four bytes, and the caller's place has at least as many.
        unsafe { place.write_unaligned(number.cast_signed()) };
        Ok(())
    }
}

fn layout(bytes: usize) -> Outcome<Layout> {
    Layout::from_size_align(bytes.max(1), ALIGNMENT).map_err(|_| Refusal::OUT_OF_MEMORY)
}

fn room(driver: &Driver, bytes: usize) -> Outcome {
    let fits = driver.used().saturating_add(bytes as u64) <= driver.config.memory;
    if fits { Ok(()) } else { Err(Refusal::OUT_OF_MEMORY) }
}

fn make(driver: &mut Driver, bytes: usize, kind: Kind) -> Outcome<Id> {
    if bytes == 0 {
        return driver.refuse("R074", Refusal::INVALID_VALUE, "no bytes are allocated");
    }
    if kind != Kind::Pinned {
        room(driver, bytes)?;
    }
    // SAFETY: the layout has at least one byte.
    let memory = unsafe { alloc_zeroed(layout(bytes)?) };
    if memory.is_null() {
        return Err(Refusal::OUT_OF_MEMORY);
    }
    let id = Id(memory as u64);
    driver.given_out_again(id.0, id.0 + bytes as u64);
    driver.memory.insert(id, Block { bytes: bytes as u64, kind, uses: Clock::default() });
    Ok(id)
}

/// Frees a block of the right kind all of whose uses are in `before`.
fn release(driver: &mut Driver, id: Id, before: &Clock, fits: impl Fn(Kind) -> bool) -> Outcome<Option<Id>> {
    let Some(block) = driver.memory.get(&id).filter(|block| fits(block.kind)) else {
        return driver.dead("memory of this kind at", id);
    };
    let (bytes, early) = (block.bytes, !before.covers(&block.uses));
    if early {
        driver.note("R304", format!("memory {:#x} is freed while work that names it may run", id.0));
    }
    driver.memory.remove(&id);
    driver.freed.insert(id, bytes);
    // SAFETY: it was allocated with this layout, and is not in the table any more.
    unsafe { dealloc(id.0 as *mut u8, layout(bytes as usize)?) };
    Ok(Some(id))
}
