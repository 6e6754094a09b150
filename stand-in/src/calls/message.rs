//! The driver's words.

use std::ffi::{CStr, c_char};

use crate::call::Refusal;
use crate::ffi::Out;

/// Not counted: it is asked while an error is put into words, and fails only for a code that there is not.
#[unsafe(export_name = "cuGetErrorString")]
extern "C" fn string(code: u32, text: Out<*const c_char>) -> u32 {
    put(text, known(code).map(|[_, words]| words))
}

/// Not counted either.
#[unsafe(export_name = "cuGetErrorName")]
extern "C" fn name(code: u32, text: Out<*const c_char>) -> u32 {
    put(text, known(code).map(|[name, _]| name))
}

/// What is unknown is null, and an error.
fn put(to: Out<*const c_char>, text: Option<&'static CStr>) -> u32 {
    let answer = if text.is_some() { 0 } else { Refusal::INVALID_VALUE.0 };
    to.put(text.map_or(std::ptr::null(), CStr::as_ptr)).map_or_else(|refusal| refusal.0, |()| answer)
}

/// Name and words of a code.
fn known(code: u32) -> Option<[&'static CStr; 2]> {
    Some(match Refusal(code) {
        Refusal(0) => [c"CUDA_SUCCESS", c"no error"],
        Refusal::INVALID_VALUE => [c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"],
        Refusal::OUT_OF_MEMORY => [c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"],
        Refusal::NOT_INITIALIZED => [c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"],
        Refusal::INVALID_DEVICE => [c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"],
        Refusal::INVALID_CONTEXT => [c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"],
        Refusal::NO_BINARY => {
            [c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"no kernel image is available for execution on the device"]
        }
        Refusal::INVALID_PTX => [c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"],
        Refusal::INVALID_HANDLE => [c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"],
        Refusal::NOT_FOUND => [c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"],
        Refusal::NOT_READY => [c"CUDA_ERROR_NOT_READY", c"device not ready"],
        Refusal::NOT_SUPPORTED => [c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"],
        Refusal::ILLEGAL_ADDRESS => [c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"],
        Refusal::COOPERATIVE_LAUNCH_TOO_LARGE => {
            [c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"too many blocks in cooperative launch"]
        }
        Refusal::OUT_OF_RESOURCES => {
            [c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", c"too many resources requested for launch"]
        }
        Refusal::INVALID_CLUSTER_SIZE => [c"CUDA_ERROR_INVALID_CLUSTER_SIZE", c"invalid cluster size"],
        _ => return None,
    })
}
