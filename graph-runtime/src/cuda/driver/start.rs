//! The functions of the driver's library that are called before its version is known, and for what goes wrong.

use std::ffi::{c_char, c_int, c_uint};

use super::symbols::driver;
use crate::cuda::table::table;

table! { driver;
    cuDriverGetVersion(version: *mut c_int);
    cuGetErrorName(code: u32, text: *mut *const c_char);
    cuGetErrorString(code: u32, text: *mut *const c_char);
    cuInit(flags: c_uint);
}
