//! Ranges and names for NVIDIA's profilers, by the interface of NVTX 3: the environment variable `NVTX_INJECTION64_PATH`, which a profiler
//! sets, names a library that is asked once, and fills in the functions that it wants to be called. Without it a range is one load.
//!
//! cudarc's bindings want a library that newer toolkits do not have, so this speaks the interface itself: [`range`] and [`name_stream`]
//! are all that is needed of it.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::mem::transmute;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Names the profiler's library.
const VARIABLE: &str = "NVTX_INJECTION64_PATH";
/// The version of the interface.
const VERSION: u32 = 3;
/// How many functions each module has, its unused first one included; module 0 is none.
const FUNCTIONS: [usize; 7] = [0, 16, 9, 15, 7, 16, 7];

/// A function by its module and its number there.
#[derive(Clone, Copy)]
struct Number(usize, usize);

const RANGE_PUSH: Number = Number(1, 9);
const RANGE_POP: Number = Number(1, 11);
const NAME_STREAM: Number = Number(2, 5);

type Push = unsafe extern "C" fn(*const c_char) -> c_int;
type Pop = unsafe extern "C" fn() -> c_int;
type Name = unsafe extern "C" fn(*mut c_void, *const c_char);
type Exported = extern "C" fn(u32) -> *const c_void;

/// The functions of a profiler that listens.
struct Profiler {
    push: Push,
    pop: Pop,
    name_stream: Option<Name>,
}

/// What a profiler writes its functions into, and the addresses of these places, as it asks for them.
struct Tables {
    /// By module.
    functions: Vec<Box<[AtomicPtr<c_void>]>>,
    /// By module, and one more that ends each.
    places: Vec<Box<[usize]>>,
}

#[repr(C)]
struct Callbacks {
    size: usize,
    module: extern "C" fn(c_int, *mut *const usize, *mut c_uint) -> c_int,
}

#[repr(C)]
struct Versions {
    size: usize,
    version: u32,
    reserved: u32,
    set: extern "C" fn(u32),
}

static CALLBACKS: Callbacks = Callbacks { size: size_of::<Callbacks>(), module: module_of };
static VERSIONS: Versions =
    Versions { size: size_of::<Versions>(), version: VERSION, reserved: 0, set: version_of_profiler };

/// A range of this thread's, from where it was made to where it is dropped; shown within those that are open.
pub(crate) struct Range {
    pop: Pop,
    /// Of one thread.
    thread: PhantomData<*const ()>,
}

/// A range of this name, if a profiler listens.
pub(crate) fn range(name: impl FnOnce() -> String) -> Option<Range> {
    let profiler = profiler()?;
    let name = CString::new(name()).ok()?;
    // SAFETY: the profiler's function takes a text that ends with NUL, and keeps nothing of it.
    unsafe { (profiler.push)(name.as_ptr()) };
    Some(Range { pop: profiler.pop, thread: PhantomData })
}

/// Names a CUDA stream in the profiler's view.
pub(crate) fn name_stream(stream: *mut c_void, name: impl FnOnce() -> String) {
    let Some(name_stream) = profiler().and_then(|profiler| profiler.name_stream) else { return };
    let Ok(name) = CString::new(name()) else { return };
    // SAFETY: the profiler's function takes a stream, which the caller has made, and a text that ends with NUL.
    unsafe { name_stream(stream, name.as_ptr()) };
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: the profiler's function has no arguments, and this thread has the range open.
        unsafe { (self.pop)() };
    }
}

/// The profiler, asked for once.
fn profiler() -> Option<&'static Profiler> {
    static PROFILER: OnceLock<Option<Profiler>> = OnceLock::new();
    PROFILER.get_or_init(|| std::env::var_os(VARIABLE).and_then(|path| attach(Path::new(&path)))).as_ref()
}

/// Lets the library fill in its functions.
fn attach(path: &Path) -> Option<Profiler> {
    // SAFETY: whoever sets the variable asks for this library to be loaded into the process.
    let loaded = unsafe { libloading::Library::new(path) };
    let library = loaded.inspect_err(|error| tracing::warn!(%error, "{VARIABLE} names no library")).ok()?;
    // SAFETY: the type is that of the interface.
    let begin = unsafe { library.get::<unsafe extern "C" fn(Exported) -> c_int>(b"InitializeInjectionNvtx2\0") };
    let begin = *begin.inspect_err(|error| tracing::warn!(%error, "{VARIABLE} names no profiler")).ok()?;
    // SAFETY: `exported` answers as the interface says, and its tables stay.
    let listens = unsafe { begin(exported) } != 0;
    // Its functions are called from here on.
    std::mem::forget(library);
    let of = |Number(module, number): Number| tables().functions[module][number].load(Ordering::Acquire);
    // SAFETY: the interface says which type the function with each number has; null is `None`.
    let (push, pop, name_stream) = unsafe {
        (
            transmute::<*mut c_void, Option<Push>>(of(RANGE_PUSH)),
            transmute::<*mut c_void, Option<Pop>>(of(RANGE_POP)),
            transmute::<*mut c_void, Option<Name>>(of(NAME_STREAM)),
        )
    };
    Some(Profiler { push: push.filter(|_| listens)?, pop: pop?, name_stream })
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let empty = || AtomicPtr::new(std::ptr::null_mut());
        let functions: Vec<Box<[_]>> =
            FUNCTIONS.iter().map(|count| std::iter::repeat_with(empty).take(*count).collect()).collect();
        let place = |(number, function): (usize, &AtomicPtr<c_void>)| {
            if number == 0 { 0 } else { function.as_ptr().expose_provenance() }
        };
        let places = functions.iter().map(|module| module.iter().enumerate().map(place).chain([0]).collect());
        let places = places.collect();
        Tables { functions, places }
    })
}

/// The tables that a profiler may ask for.
extern "C" fn exported(table: u32) -> *const c_void {
    match table {
        1 => (&raw const CALLBACKS).cast(),
        3 => (&raw const VERSIONS).cast(),
        _ => std::ptr::null(),
    }
}

/// The places of a module's functions, and how many there are; 0 if there is no such module.
extern "C" fn module_of(module: c_int, places: *mut *const usize, count: *mut c_uint) -> c_int {
    let found =
        usize::try_from(module).ok().filter(|module| *module > 0).and_then(|module| tables().places.get(module));
    let Some(found) = found else { return 0 };
    if !places.is_null() {
        // SAFETY: the interface says that it is null or a place to write to.
        unsafe { places.write(found.as_ptr()) };
    }
    if !count.is_null() {
        // SAFETY: as above.
        unsafe { count.write((found.len() - 1) as c_uint) };
    }
    1
}

/// What a profiler says of itself changes nothing here.
extern "C" fn version_of_profiler(_version: u32) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a profiler looks at it.
    #[test]
    fn each_module_has_places_for_its_functions() {
        assert!(exported(2).is_null() && !exported(3).is_null());
        // SAFETY: table 1 is the one of callbacks.
        let callbacks = unsafe { &*exported(1).cast::<Callbacks>() };
        assert_eq!(callbacks.size, 16);
        for (module, functions) in (0_i32..).zip(FUNCTIONS) {
            let (mut places, mut count) = (std::ptr::null(), 0);
            let there = (callbacks.module)(module, &raw mut places, &raw mut count) == 1;
            assert_eq!((there, count as usize), (module > 0, functions));
            if there {
                // SAFETY: it has said that there are so many, and one that ends them.
                let places = unsafe { std::slice::from_raw_parts(places, count as usize + 1) };
                assert!(places[0] == 0 && places[1..count as usize].iter().all(|place| *place != 0));
                assert_eq!(places.last(), Some(&0));
            }
        }
        assert_eq!((callbacks.module)(7, std::ptr::null_mut(), std::ptr::null_mut()), 0);
        assert_eq!((callbacks.module)(-1, std::ptr::null_mut(), std::ptr::null_mut()), 0);
    }
}
