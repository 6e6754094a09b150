//! The functions by which a test talks to the library that its process has loaded.

use std::ffi::{CString, c_char};

use crate::call::with;
use crate::ffi::Text;
use crate::report::{Config, Fault};

/// Takes a [`Config`] as JSON. 0 if it was understood.
#[unsafe(export_name = "stand_in_configure")]
extern "C" fn configure(config: Text) -> u32 {
    let Some(config) = config.read().ok().and_then(|text| serde_json::from_str::<Config>(&text).ok()) else { return 1 };
    with(|driver| {
        driver.config = config;
        driver.stored = 0;
    });
    0
}

/// Takes [`Fault`]s as JSON in place of those that were set before. 0 if they were understood.
#[unsafe(export_name = "stand_in_fail")]
extern "C" fn fail(faults: Text) -> u32 {
    let Some(faults) = faults.read().ok().and_then(|text| serde_json::from_str::<Vec<Fault>>(&text).ok()) else {
        return 1;
    };
    with(|driver| driver.faults = faults);
    0
}

/// Everything so far as JSON, to be given back to `stand_in_release`; with what graphs are made of unless `graphs` is 0. Null if there is
/// no memory for it.
#[unsafe(export_name = "stand_in_report")]
extern "C" fn report(graphs: u32) -> *mut c_char {
    let text = serde_json::to_string(&with(|driver| driver.report(graphs != 0))).ok();
    text.and_then(|text| CString::new(text).ok()).map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Forgets the calls and violations so far, and what is destroyed. What is there stays.
#[unsafe(export_name = "stand_in_forget")]
extern "C" fn forget() {
    with(crate::driver::Driver::forget);
}

/// Takes a report back.
#[unsafe(export_name = "stand_in_release")]
extern "C" fn release(report: *mut c_char) {
    if !report.is_null() {
        // SAFETY: the header of this function: it came from `stand_in_report`, and is given back once.
        drop(unsafe { CString::from_raw(report) });
    }
}
