//! cuFFT. A plan is a number of 32 bits, here the lower half of its handle.

use std::ffi::{c_int, c_uint};

use super::{bytes, create, destroy, known, put, set_stream};
use crate::call::{Refusal, export};
use crate::driver::Driver;
use crate::ffi::{In, Out};
use crate::objects::Id;

/// `CUFFT_INVALID_TYPE`
const TYPE: Refusal = Refusal(3);

/// `cufftType`
const SINGLE: c_uint = 0x29;
const DOUBLE: c_uint = 0x69;

fn handle(plan: c_int) -> Id {
    Id(Driver::FIRST_ID | u64::from(plan.unsigned_abs()))
}

export!("cufftCreate", fn open(driver, plan: Out<c_int>) {
    let id = create(driver)?;
    plan.put(c_int::try_from(id.0 & !Driver::FIRST_ID).unwrap_or(c_int::MAX))?;
    Ok(Some(id))
});

export!("cufftDestroy", fn close(driver, plan: c_int) {
    destroy(driver, handle(plan))
});

export!("cufftSetAutoAllocation", fn allocates(driver, plan: c_int, _allocates: c_int) {
    known(driver, handle(plan))?;
    Ok(Some(handle(plan)))
});

export!("cufftMakePlanMany", fn shape(driver, plan: c_int, rank: c_int, sizes: In<c_int>, _from: u64, _from_step: c_int, _from_distance: c_int, _to: u64, _to_step: c_int, _to_distance: c_int, kind: c_uint, batch: c_int, workspace: Out<usize>) {
    let size = match kind {
        SINGLE => 8,
        DOUBLE => 16,
        _ => return Err(TYPE),
    };
    let sizes = sizes.slice(usize::try_from(rank).unwrap_or(0));
    known(driver, handle(plan))?.bytes = bytes(sizes.iter().product::<c_int>() * batch, size);
    workspace.put(4096)?;
    Ok(Some(handle(plan)))
});

export!("cufftSetStream", fn stream(driver, plan: c_int, stream: Id) {
    set_stream(driver, handle(plan), stream)
});

export!("cufftSetWorkArea", fn workspace(driver, plan: c_int, _workspace: u64) {
    known(driver, handle(plan))?;
    Ok(Some(handle(plan)))
});

export!("cufftExecC2C", fn single(driver, plan: c_int, _from: u64, to: u64, _direction: c_int) {
    let bytes = known(driver, handle(plan))?.bytes;
    put(driver, handle(plan), to, bytes)
});

export!("cufftExecZ2Z", fn double(driver, plan: c_int, _from: u64, to: u64, _direction: c_int) {
    let bytes = known(driver, handle(plan))?.bytes;
    put(driver, handle(plan), to, bytes)
});
