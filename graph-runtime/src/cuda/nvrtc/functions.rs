//! The functions of NVRTC that are called.

use std::ffi::{CStr, c_char, c_int};

use cudarc::nvrtc::sys::{self, nvrtcProgram};

use super::library::nvrtc;
use crate::cuda::table::table;

table! { nvrtc, as sys::nvrtcResult;
    nvrtcAddNameExpression(program: nvrtcProgram, name: *const c_char);
    nvrtcCompileProgram(program: nvrtcProgram, count: c_int, options: *const *const c_char);
    nvrtcCreateProgram(
        program: *mut nvrtcProgram,
        text: *const c_char,
        name: *const c_char,
        count: c_int,
        headers: *const *const c_char,
        names: *const *const c_char,
    );
    nvrtcDestroyProgram(program: *mut nvrtcProgram);
    nvrtcGetCUBIN(program: nvrtcProgram, image: *mut c_char);
    nvrtcGetCUBINSize(program: nvrtcProgram, bytes: *mut usize);
    nvrtcGetLoweredName(program: nvrtcProgram, name: *const c_char, lowered: *mut *const c_char);
    nvrtcGetNumSupportedArchs(count: *mut c_int);
    nvrtcGetPTX(program: nvrtcProgram, image: *mut c_char);
    nvrtcGetPTXSize(program: nvrtcProgram, bytes: *mut usize);
    nvrtcGetProgramLog(program: nvrtcProgram, log: *mut c_char);
    nvrtcGetProgramLogSize(program: nvrtcProgram, bytes: *mut usize);
    nvrtcGetSupportedArchs(architectures: *mut c_int);
    nvrtcVersion(major: *mut c_int, minor: *mut c_int);
}

/// The library's words for a code.
pub(super) fn words(code: u32) -> String {
    // SAFETY: the type is that of the library's header.
    let found = nvrtc().and_then(|nvrtc| unsafe {
        nvrtc.get::<unsafe extern "C" fn(u32) -> *const c_char>(b"nvrtcGetErrorString").ok()
    });
    // SAFETY: any number may be asked about.
    let text = found.map_or(std::ptr::null(), |words| unsafe { words(code) });
    if text.is_null() {
        return format!("NVRTC answers {code}, and has no words for it");
    }
    // SAFETY: the library returns a static, NUL-terminated string.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    format!("{text} ({code})")
}
