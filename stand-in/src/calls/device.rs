//! The driver and its devices.

use std::ffi::{c_char, c_int, c_uint};

use cudarc::driver::sys::CUdevice_attribute as Attribute;

use crate::call::{Outcome, Refusal, export};
use crate::driver::Driver;
use crate::ffi::Out;

export!("cuInit", fn init(driver, flags: c_uint) {
    if flags != 0 {
        return driver.refuse("cuInit", Refusal::INVALID_VALUE, "flags must be 0");
    }
    driver.initialised = true;
    Ok(None)
});

export!("cuDriverGetVersion", fn version(driver, version: Out<c_int>) {
    version.put(driver.config.version)?;
    Ok(None)
});

export!("cuDeviceGetCount", fn count(driver, count: Out<c_int>) {
    initialised(driver)?;
    count.put(driver.config.devices)?;
    Ok(None)
});

export!("cuDeviceGet", fn get(driver, device: Out<c_int>, ordinal: c_int) {
    exists(driver, ordinal)?;
    device.put(ordinal)?;
    Ok(None)
});

export!("cuDeviceGetName", fn name(driver, name: Out<c_char>, length: c_int, device: c_int) {
    exists(driver, device)?;
    let room = usize::try_from(length).unwrap_or(0).saturating_sub(1);
    let text = crate::DEVICE_NAME.as_bytes();
    let shown = &text[..text.len().min(room)];
    shown.iter().chain(&[0]).enumerate().for_each(|(at, byte)| name.put_at(at, byte.cast_signed()));
    Ok(None)
});

export!("cuDeviceGetAttribute", fn attribute(driver, value: Out<c_int>, attribute: u32, device: c_int) {
    exists(driver, device)?;
    value.put(driver.attribute(attribute).ok_or(Refusal::INVALID_VALUE)?)?;
    Ok(None)
});

/// Refused before `cuInit`.
pub(super) fn initialised(driver: &mut Driver) -> Outcome {
    if driver.initialised { Ok(()) } else { driver.refuse("cuInit", Refusal::NOT_INITIALIZED, "cuInit was not called") }
}

/// Refused for a device that is none.
pub(super) fn exists(driver: &mut Driver, device: c_int) -> Outcome {
    initialised(driver)?;
    if (0..driver.config.devices).contains(&device) { Ok(()) } else { Err(Refusal::INVALID_DEVICE) }
}

/// The attributes of an H200 that anybody asks for.
pub(crate) fn h200(attribute: u32) -> Option<c_int> {
    const TABLE: &[(Attribute, c_int)] = &[
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, i32::MAX),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65_535),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65_535),
        (Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32),
        (Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132),
        (Attribute::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9),
        (Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048),
        (Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49_152),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233_472),
        (Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232_448),
        (Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 1),
        (Attribute::CU_DEVICE_ATTRIBUTE_MPS_ENABLED, 0),
    ];
    TABLE.iter().find(|(known, _)| *known as u32 == attribute).map(|(_, value)| *value)
}
