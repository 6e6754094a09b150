//! The driver's words.

use std::ffi::{CStr, c_char};

use crate::call::Refusal;
use crate::ffi::Out;

/// Not counted: it is asked while an error is put into words, and cannot fail for a code that there is.
#[unsafe(export_name = "cuGetErrorString")]
extern "C" fn string(code: u32, text: Out<*const c_char>) -> u32 {
    text.put(words(code).as_ptr()).map_or_else(|refusal| refusal.0, |()| 0)
}

fn words(code: u32) -> &'static CStr {
    match Refusal(code) {
        Refusal(0) => c"no error",
        Refusal::INVALID_VALUE => c"invalid argument",
        Refusal::OUT_OF_MEMORY => c"out of memory",
        Refusal::NOT_INITIALIZED => c"initialization error",
        Refusal::INVALID_DEVICE => c"invalid device ordinal",
        Refusal::INVALID_CONTEXT => c"invalid device context",
        Refusal::NO_BINARY => c"no kernel image is available for execution on the device",
        Refusal::INVALID_PTX => c"a PTX JIT compilation failed",
        Refusal::INVALID_HANDLE => c"invalid resource handle",
        Refusal::NOT_FOUND => c"named symbol not found",
        Refusal::NOT_READY => c"device not ready",
        Refusal::NOT_SUPPORTED => c"operation not supported",
        _ => c"an error that the stand-in has no words for",
    }
}
