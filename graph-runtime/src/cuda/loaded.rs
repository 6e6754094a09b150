//! Launches of functions that the program has loaded itself: `unsafe f<<<grid, block>>>(…)`.

use std::ffi::c_void;

use cudarc::driver::CudaFunction;
use cudarc::driver::sys::CUfunction;
use graph_ir::code::Code;

use super::driver::{Attribute, Context, Failure, Function, Stream};
use crate::call::{CaptureStream, DeviceView, DeviceViewMut};
use crate::element::{DeviceValue, Element};
use crate::program::{Geometry, IntoExtent};

/// Bytes of shared memory that a block may have if it asks for them.
const MOST_SHARED: Attribute = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;

/// A function of a loaded module: cudarc's `CudaFunction`, or a type of one's own around a `CUfunction`.
///
/// # Safety
/// The function's module stays loaded for as long as the value or a clone of it is there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no loaded function",
    label = "expected cudarc's `CudaFunction`, or a type that implements `LoadedFunction`"
)]
pub unsafe trait LoadedFunction: Clone + Send + Sync + 'static {
    /// The function for the driver.
    fn raw(&self) -> CUfunction;
}

// SAFETY: it holds its module.
unsafe impl LoadedFunction for CudaFunction {
    fn raw(&self) -> CUfunction {
        self.cu_function()
    }
}

/// What a loaded function may be given: a buffer with its mode, or a plain value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a loaded function",
    label = "expected a buffer with its mode, or a plain value"
)]
pub trait LoadedArgument {
    /// The bytes of the parameter.
    #[doc(hidden)]
    fn bytes(&self) -> Vec<u8>;
}

#[diagnostic::do_not_recommend]
impl<T: Element> LoadedArgument for DeviceView<'_, T> {
    fn bytes(&self) -> Vec<u8> {
        self.address().to_ne_bytes().to_vec()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> LoadedArgument for DeviceViewMut<'_, T> {
    fn bytes(&self) -> Vec<u8> {
        self.address().to_ne_bytes().to_vec()
    }
}

impl<T: DeviceValue> LoadedArgument for T {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; size_of::<T>()];
        self.store(&mut bytes);
        bytes
    }
}

/// Puts the launch into a capture.
///
/// # Safety
/// The function's parameters are these, in this order; it touches what the addresses point to only as the statement says, within the
/// buffers' lengths.
pub unsafe fn launch_loaded<F: LoadedFunction>(
    stream: &CaptureStream,
    function: F,
    grid: impl Geometry,
    block: impl Geometry,
    shared: impl IntoExtent,
    arguments: &[&dyn LoadedArgument],
) -> Result<(), String> {
    // SAFETY: the module is loaded while there is `function`, which the graph keeps.
    let loaded = unsafe { Function::from_raw(function.raw()) };
    stream.keep(function);
    let mut arguments: Vec<Vec<u8>> = arguments.iter().map(|argument| argument.bytes()).collect();
    let given: Vec<usize> = arguments.iter().map(Vec::len).collect();
    if let Some(parameters) = loaded.parameters().map_err(told)? {
        let declared: Vec<usize> = parameters.iter().map(|parameter| parameter.size).collect();
        fits(&declared, &given)?;
    }
    let [grid, block] = [grid.dimensions(), block.dimensions()];
    sizes(grid, block, loaded.threads_limit().map_err(told)?)?;
    let shared = shared.into_extent().and_then(|bytes| u32::try_from(bytes).ok());
    let shared = shared.ok_or("is given a negative or too large number of bytes of shared memory")?;
    let most = Context::of(stream.context()).attribute(MOST_SHARED).map_err(told)?;
    shared_fits(loaded.static_shared().map_err(told)?, shared, most)?;
    if shared > loaded.dynamic_shared_limit().map_err(told)? {
        loaded.allow_dynamic_shared(shared).map_err(told)?;
    }
    let mut pointers: Vec<*mut c_void> = arguments.iter_mut().map(|bytes| bytes.as_mut_ptr().cast()).collect();
    let stream = Stream::borrowed(stream.raw(), Context::of(stream.context()));
    // SAFETY: the caller's promise; sizes were compared where the driver knows them.
    unsafe { loaded.launch([grid, block], shared, &mut pointers, &stream) }.map_err(told)
}

fn told(failure: Failure) -> String {
    failure.describe("launching a loaded function", None).to_string()
}

/// As many parameters as arguments, each as large.
fn fits(declared: &[usize], given: &[usize]) -> Result<(), String> {
    if declared.len() != given.len() {
        let plural = if declared.len() == 1 { "" } else { "s" };
        return Err(format!("the function has {} parameter{plural}, and is given {}", declared.len(), given.len()));
    }
    let differs = declared.iter().zip(given).position(|(declared, given)| declared != given);
    let Some(at) = differs else { return Ok(()) };
    Err(format!(
        "parameter {at} of the function has {} bytes, and is given {}\nhelp: a literal has the type that Rust gives it: write `0.5_f32`, \
         or `n as u32`",
        declared[at], given[at]
    ))
}

/// What the function declares itself and what the launch asks for, within what a block of the device has.
fn shared_fits(own: u32, asked: u32, most: u32) -> Result<(), String> {
    let all = u64::from(own) + u64::from(asked);
    if all <= u64::from(most) {
        return Ok(());
    }
    Err(format!(
        "a block would have {all} bytes of shared memory ({asked} that the launch asks for, {own} of the function's own), and this device \
         gives it {most} [{}]\nhelp: ask for at most {} bytes",
        Code::SHARED,
        most.saturating_sub(own)
    ))
}

fn sizes(grid: [u32; 3], block: [u32; 3], limit: u32) -> Result<(), String> {
    for (what, sizes) in [("grid", grid), ("block", block)] {
        if sizes.contains(&0) {
            return Err(format!("the {what} {sizes:?} is empty, or larger than CUDA counts"));
        }
    }
    let threads: u64 = block.iter().map(|size| u64::from(*size)).product();
    if threads > u64::from(limit) {
        return Err(format!("the block {block:?} has {threads} threads, and the function can have {limit}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_compared_in_number_and_size() {
        assert_eq!(fits(&[8, 8, 4], &[8, 8, 4]), Ok(()));
        assert_eq!(fits(&[8], &[8, 4]).unwrap_err(), "the function has 1 parameter, and is given 2");
        let told = fits(&[8, 4], &[8, 8]).unwrap_err();
        assert!(told.starts_with("parameter 1 of the function has 4 bytes, and is given 8\nhelp: "), "{told}");
    }

    #[test]
    fn geometry_is_within_the_function() {
        assert_eq!(sizes([1, 1, 1], [32, 32, 1], 1024), Ok(()));
        assert_eq!(
            sizes([1, 0, 1], [1, 1, 1], 1024).unwrap_err(),
            "the grid [1, 0, 1] is empty, or larger than CUDA counts"
        );
        let told = sizes([1, 1, 1], [64, 32, 1], 1024).unwrap_err();
        assert_eq!(told, "the block [64, 32, 1] has 2048 threads, and the function can have 1024");
    }

    #[test]
    fn shared_memory_is_within_the_device() {
        assert_eq!(shared_fits(1024, 231_424, 232_448), Ok(()));
        let told = shared_fits(1024, 231_425, 232_448).unwrap_err();
        assert!(told.starts_with("a block would have 232449 bytes of shared memory (231425 that"), "{told}");
        assert!(told.ends_with("[CG0220]\nhelp: ask for at most 231424 bytes"), "{told}");
    }

    #[test]
    fn values_are_their_bytes() {
        assert_eq!(LoadedArgument::bytes(&7_u32), 7_u32.to_ne_bytes());
        assert_eq!(LoadedArgument::bytes(&[1.0_f32, 2.0]).len(), 8);
    }
}
