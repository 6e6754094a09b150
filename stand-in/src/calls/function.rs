//! What a kernel allows.

use std::ffi::c_int;

use cudarc::driver::sys::{CUfunction_attribute as Attribute, CUlaunchConfig};

use crate::call::{Outcome, Refusal, export};
use crate::driver::Driver;
use crate::ffi::{In, Out};
use crate::objects::{Function, Id};
use crate::rules::kernel::resident_blocks;

export!("cuFuncGetParamInfo", fn parameter(driver, function: Id, index: usize, offset: Out<usize>, size: Out<usize>) {
    let parameter = known(driver, function)?.entry.parameters.get(index).copied();
    let (at, bytes) = parameter.ok_or(Refusal::INVALID_VALUE)?;
    offset.put(at)?;
    if !size.is_null() {
        size.put(bytes)?;
    }
    Ok(Some(function))
});

export!("cuFuncGetAttribute", fn attribute(driver, value: Out<c_int>, attribute: u32, function: Id) {
    let Function { entry, dynamic, .. } = known(driver, function)?;
    let number = match attribute {
        one if one == Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK as u32 => entry.threads.unwrap_or(1024),
        one if one == Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as u32 => entry.shared,
        one if one == Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as u32 => *dynamic,
        _ => return Err(Refusal::INVALID_VALUE),
    };
    value.put(number.cast_signed())?;
    Ok(Some(function))
});

export!("cuFuncSetAttribute", fn set_attribute(driver, function: Id, attribute: u32, value: c_int) {
    let most = driver.attribute(97).unwrap_or(0).unsigned_abs();
    let known = known(driver, function)?;
    if attribute == Attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED as u32 {
        known.large_clusters = value != 0;
        return Ok(Some(function));
    }
    if attribute != Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as u32 {
        return Err(Refusal::INVALID_VALUE);
    }
    let (asked, own) = (value.unsigned_abs(), known.entry.shared);
    if asked + own > most {
        return driver.refuse("R049", Refusal::INVALID_VALUE, format!("{asked} bytes of shared memory beside {own} are too many"));
    }
    known.dynamic = asked;
    Ok(Some(function))
});

export!("cuOccupancyMaxActiveBlocksPerMultiprocessor", fn blocks(driver, count: Out<c_int>, function: Id, threads: c_int, shared: usize) {
    known(driver, function)?;
    let blocks = resident_blocks(driver, function, threads.unsigned_abs(), shared as u32);
    count.put(blocks.cast_signed())?;
    Ok(Some(function))
});

export!("cuOccupancyMaxActiveClusters", fn clusters(driver, count: Out<c_int>, function: Id, config: In<CUlaunchConfig>) {
    known(driver, function)?;
    let launch = super::launch::read(config);
    let cluster: u32 = launch.attributes.get(&4).map_or(1, |sizes| sizes.iter().map(|size| size.unsigned_abs()).product());
    let threads = launch.block.iter().product();
    let blocks = resident_blocks(driver, function, threads, launch.shared);
    let processors = driver.attribute(16).unwrap_or(0).unsigned_abs();
    count.put((blocks * processors / cluster.max(1)).cast_signed())?;
    Ok(Some(function))
});

/// A kernel whose module is loaded.
pub(super) fn known(driver: &mut Driver, function: Id) -> Outcome<&mut Function> {
    if !driver.functions.contains_key(&function) {
        return driver.dead("function", function);
    }
    driver.functions.get_mut(&function).ok_or(Refusal::INVALID_HANDLE)
}
