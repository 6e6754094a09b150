//! cuSOLVER.

use std::ffi::{c_int, c_uint};

use super::{bytes, create, destroy, known, put, set_stream};
use crate::call::export;
use crate::ffi::Out;
use crate::objects::Id;

export!("cusolverDnCreate", fn open(driver, handle: Out<Id>) {
    let id = create(driver)?;
    handle.put(id)?;
    Ok(Some(id))
});

export!("cusolverDnDestroy", fn close(driver, handle: Id) {
    destroy(driver, handle)
});

export!("cusolverDnSetStream", fn stream(driver, handle: Id, stream: Id) {
    set_stream(driver, handle, stream)
});

export!("cusolverDnDpotrf_bufferSize", fn workspace(driver, handle: Id, _fill: c_uint, n: c_int, _a: u64, _lda: c_int, elements: Out<c_int>) {
    known(driver, handle)?;
    elements.put(64 * n)?;
    Ok(Some(handle))
});

export!("cusolverDnDpotrf", fn potrf(driver, handle: Id, _fill: c_uint, n: c_int, a: u64, _lda: c_int, _workspace: u64, _elements: c_int, _info: u64) {
    put(driver, handle, a, bytes(n * n, 8))
});
