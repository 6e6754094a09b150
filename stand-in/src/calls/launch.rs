//! Launches into streams: counted, or put into the graph that is captured.

use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};

use cudarc::driver::sys::{CUlaunchAttribute, CUlaunchConfig};

use super::params::{Geometry, kernel};
use crate::call::{Outcome, export};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::ffi::In;
use crate::objects::{Id, Kind};
use crate::report::Work;
use crate::rules;

/// A launch's configuration.
pub(super) struct Launch {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) shared: u32,
    stream: Id,
    pub(super) attributes: BTreeMap<u32, Vec<i32>>,
}

export!("cuLaunchKernel", fn plain(driver, function: Id, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: Id, arguments: In<*mut c_void>, extra: In<*mut c_void>) {
    let (grid, block, attributes) = ([gx, gy, gz], [bx, by, bz], BTreeMap::new());
    launch(driver, function, Launch { grid, block, shared, stream, attributes }, arguments, extra)
});

export!("cuLaunchKernelEx", fn with_attributes(driver, config: In<CUlaunchConfig>, function: Id, arguments: In<*mut c_void>, extra: In<*mut c_void>) {
    launch(driver, function, read(config), arguments, extra)
});

fn launch(
    driver: &mut Driver,
    function: Id,
    launch: Launch,
    arguments: In<*mut c_void>,
    extra: In<*mut c_void>,
) -> Outcome<Option<Id>> {
    driver.current()?;
    let Launch { grid, block, shared, stream, attributes } = launch;
    let work = kernel(driver, function, Geometry { grid, block, shared }, arguments, extra)?;
    rules::kernel::check(driver, &work)?;
    attributes.iter().try_for_each(|(id, value)| rules::kernel::attribute(driver, &work, *id, value))?;
    if driver.stream(stream)?.capture.is_some() {
        let added = super::capture::add(driver, stream, work)?;
        if let Some(node) = added.and_then(|id| driver.nodes.get_mut(&id)) {
            node.attributes = attributes;
        }
        return Ok(added);
    }
    store(driver, &work);
    let (moment, before) = driver.put(stream, &Clock::default())?;
    let named = rules::memory::names(&work);
    rules::memory::used(driver, moment, &before, named.into_iter());
    Ok(None)
}

/// Stores the next word that the test has asked for, if the kernel is given where.
fn store(driver: &mut Driver, work: &Work) {
    let (Work::Kernel { arguments, .. }, false) = (work, driver.config.stores.is_empty()) else { return };
    let word = driver.config.stores.get(driver.stored).copied().unwrap_or(0);
    let words = arguments.iter().filter_map(|bytes| Some(u64::from_ne_bytes(bytes.as_slice().try_into().ok()?)));
    let is_word = |address: &u64| {
        driver.memory.get(&Id(*address)).is_some_and(|block| block.kind == Kind::Pinned && block.bytes == 8)
    };
    if let Some(address) = words.into_iter().find(is_word) {
        driver.stored += 1;
        // SAFETY: pinned memory is the host's, this piece is alive, aligned to pages, and has eight bytes.
        unsafe { (address as *mut u64).write_volatile(word) };
    }
}

/// A configuration as the caller has it.
pub(super) fn read(config: In<CUlaunchConfig>) -> Launch {
    let config = config.at(0);
    // SAFETY: the header wants an array of `numAttrs`, which may be null if there are none.
    let list = (0..config.numAttrs as usize).map(|index| unsafe { config.attrs.add(index).read() });
    Launch {
        grid: [config.gridDimX, config.gridDimY, config.gridDimZ],
        block: [config.blockDimX, config.blockDimY, config.blockDimZ],
        shared: config.sharedMemBytes,
        stream: Id(config.hStream as u64),
        attributes: list.map(|one| (one.id as u32, value(&one))).collect(),
    }
}

fn value(one: &CUlaunchAttribute) -> Vec<i32> {
    attribute_value(one.id as u32, (&raw const one.value).cast())
}

/// An attribute's value, which starts with as many numbers as the attribute has.
pub(super) fn attribute_value(id: u32, value: *const i32) -> Vec<i32> {
    let count = if id == 4 { 3 } else { 1 };
    // SAFETY: the header wants a whole `CUlaunchAttributeValue`, which has 64 bytes.
    (0..count).map(|index| unsafe { value.add(index).read_unaligned() }).collect()
}
