//! Copies and fills in streams, which do move bytes, at once.

use cudarc::driver::sys::CUDA_MEMCPY3D;

use crate::call::{Outcome, Refusal, export};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::ffi::In;
use crate::objects::{Id, Kind};
use crate::report::Work;
use crate::rules;

export!("cuMemcpyHtoDAsync_v2", fn to_device(driver, to: u64, from: u64, bytes: usize, stream: Id) {
    driver.current()?;
    on_device(driver, to, bytes)?;
    move_bytes(driver, to, from, bytes, stream)
});

export!("cuMemcpyDtoHAsync_v2", fn to_host(driver, to: u64, from: u64, bytes: usize, stream: Id) {
    driver.current()?;
    on_device(driver, from, bytes)?;
    move_bytes(driver, to, from, bytes, stream)
});

export!("cuMemcpyAsync", fn any(driver, to: u64, from: u64, bytes: usize, stream: Id) {
    between(driver, to, from, bytes, stream)
});

export!("cuMemcpyDtoDAsync_v2", fn on_one_device(driver, to: u64, from: u64, bytes: usize, stream: Id) {
    on_device(driver, to, bytes)?;
    on_device(driver, from, bytes)?;
    between(driver, to, from, bytes, stream)
});

fn between(driver: &mut Driver, to: u64, from: u64, bytes: usize, stream: Id) -> Outcome<Option<Id>> {
    driver.current()?;
    if driver.stream(stream)?.capture.is_some() {
        let memory = [to, from].map(|address| rules::copy::memory_type(driver, address));
        return super::capture::add(driver, stream, Work::Copy { to, from, memory, sizes: [bytes as u64, 1, 1] });
    }
    move_bytes(driver, to, from, bytes, stream)
}

export!("cuMemcpy3DAsync_v2", fn rows(driver, copy: In<CUDA_MEMCPY3D>, stream: Id) {
    driver.current()?;
    let copy = super::params::copy(driver, copy.pointer())?;
    rules::copy::check(driver, &copy)?;
    driver.put(stream, &Clock::default())?;
    Ok(None)
});

export!("cuMemsetD8Async", fn set(driver, to: u64, byte: u8, bytes: usize, stream: Id) {
    driver.current()?;
    on_device(driver, to, bytes)?;
    if driver.stream(stream)?.capture.is_some() {
        return super::capture::add(driver, stream, Work::Fill { to, bytes: bytes as u64 });
    }
    used(driver, stream, &[to])?;
    // SAFETY: the bytes lie within a block of the table.
    unsafe { std::ptr::write_bytes(to as *mut u8, byte, bytes) };
    Ok(None)
});

/// Refuses what does not lie within one block of device memory.
fn on_device(driver: &mut Driver, address: u64, bytes: usize) -> Outcome {
    let fits = driver
        .block(address)
        .is_some_and(|(start, block)| block.kind != Kind::Pinned && address + bytes as u64 <= start.0 + block.bytes);
    if fits {
        return Ok(());
    }
    driver.refuse("R078", Refusal::INVALID_VALUE, format!("{bytes} bytes at {address:#x} are not within device memory"))
}

fn move_bytes(driver: &mut Driver, to: u64, from: u64, bytes: usize, stream: Id) -> Outcome<Option<Id>> {
    // The host's own memory is nobody's but the caller's.
    let known: Vec<u64> = [to, from].into_iter().filter(|address| driver.block(*address).is_some()).collect();
    used(driver, stream, &known)?;
    // SAFETY: device memory was looked up; host memory is the caller's promise. The driver allows no overlap, and `copy` would.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
    Ok(None)
}

/// Puts a piece of work that names these addresses into a stream.
fn used(driver: &mut Driver, stream: Id, addresses: &[u64]) -> Outcome {
    let (moment, before) = driver.put(stream, &Clock::default())?;
    if let Some(first) = addresses.first() {
        driver.ordered(*first, Some(moment), &before);
    }
    rules::memory::used(driver, moment, &before, addresses.iter().copied());
    Ok(())
}
