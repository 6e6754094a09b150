//! The library as a profiler that is injected by NVTX: it writes down ranges and names of streams.

use std::ffi::{c_int, c_uint, c_void};

use crate::call::with;
use crate::ffi::Text;

type Exported = unsafe extern "C" fn(u32) -> *const Callbacks;
type Module = unsafe extern "C" fn(c_int, *mut *const *mut *const c_void, *mut c_uint) -> c_int;

/// Table 1 of what the program exports.
#[repr(C)]
struct Callbacks {
    size: usize,
    module: Module,
}

/// What a program that knows NVTX calls first. 1: ranges and names are wanted.
#[unsafe(export_name = "InitializeInjectionNvtx2")]
extern "C" fn begin(exported: Exported) -> c_int {
    // SAFETY: NVTX's interface: table 1 is this one, and stays.
    let Some(callbacks) = (unsafe { exported(1).as_ref() }) else { return 0 };
    let push: extern "C" fn(Text) -> c_int = push;
    let (pop, name): (extern "C" fn() -> c_int, extern "C" fn(u64, Text)) = (pop, name_stream);
    let wanted = [(1, 9, push as *const c_void), (1, 11, pop as *const c_void), (2, 5, name as *const c_void)];
    let whole = callbacks.size >= size_of::<Callbacks>();
    c_int::from(whole && wanted.into_iter().all(|(module, number, function)| put(callbacks, module, number, function)))
}

/// Puts a function in its place; false if there is none.
fn put(callbacks: &Callbacks, module: c_int, number: usize, function: *const c_void) -> bool {
    let (mut places, mut count) = (std::ptr::null(), 0);
    // SAFETY: the program's function takes places for a table and for how many functions it has.
    let there = unsafe { (callbacks.module)(module, &raw mut places, &raw mut count) } == 1;
    if !there || number >= count as usize {
        return false;
    }
    // SAFETY: the table has so many places, each null or that of a pointer to a function.
    let place = unsafe { *places.add(number) };
    if place.is_null() {
        return false;
    }
    // SAFETY: the place of a pointer to a function of this type, which nobody calls yet.
    unsafe { place.write(function) };
    true
}

extern "C" fn push(name: Text) -> c_int {
    let name = name.read().unwrap_or_default();
    with(|driver| {
        let depth = driver.open_ranges;
        driver.ranges.push("  ".repeat(usize::from(depth)) + &name);
        driver.open_ranges += 1;
        c_int::from(depth)
    })
}

extern "C" fn pop() -> c_int {
    with(|driver| {
        if let Some(depth) = driver.open_ranges.checked_sub(1) {
            driver.open_ranges = depth;
            return c_int::from(depth);
        }
        driver.ranges.push("ended what nobody began".to_owned());
        -1
    })
}

extern "C" fn name_stream(_stream: u64, name: Text) {
    let name = name.read().unwrap_or_default();
    with(|driver| driver.stream_names.push(name));
}
