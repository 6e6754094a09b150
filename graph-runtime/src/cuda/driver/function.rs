//! Kernels of loaded modules. The context is current.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use cudarc::driver::sys::{CUfunction, CUfunction_attribute};

use super::error::{Failure, check};
use super::{Stream, functions, symbols};

type ParameterInfo = unsafe extern "C" fn(CUfunction, usize, *mut usize, *mut usize) -> u32;

/// `cuFuncGetParamInfo`, which drivers have from 12.4 and cudarc's bindings too: looked up by name, so that 12.3 will do.
fn parameter_info() -> Option<ParameterInfo> {
    static FOUND: OnceLock<Option<ParameterInfo>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: the type is that of the driver's header, and the library is never unloaded.
        let found = unsafe { symbols::driver()?.get::<ParameterInfo>(b"cuFuncGetParamInfo") };
        found.ok().map(|symbol| *symbol)
    })
}

/// A parameter of a loaded kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct LoadedParameter {
    /// Bytes from the first.
    pub(in crate::cuda) offset: usize,
    /// In bytes.
    pub(in crate::cuda) size: usize,
}

/// A kernel; valid while its module is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Function(pub(super) CUfunction);

// SAFETY: the pointer is only handed to the driver, which locks functions itself.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Function {
    /// Nothing to launch.
    pub(in crate::cuda) const NONE: Self = Self(std::ptr::null_mut());

    /// Somebody else's.
    ///
    /// # Safety
    /// Its module is loaded while it is used.
    pub(in crate::cuda) unsafe fn from_raw(raw: CUfunction) -> Self {
        Self(raw)
    }

    /// Largest block that its registers and launch bounds allow.
    pub(in crate::cuda) fn threads_limit(self) -> Result<u32, Failure> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
    }

    /// Shared memory that it declares itself, in bytes.
    pub(in crate::cuda) fn static_shared(self) -> Result<u32, Failure> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
    }

    /// Dynamic shared memory that a launch may ask for now, in bytes.
    pub(in crate::cuda) fn dynamic_shared_limit(self) -> Result<u32, Failure> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    }

    /// Raises [`Function::dynamic_shared_limit`].
    pub(in crate::cuda) fn allow_dynamic_shared(self, bytes: u32) -> Result<(), Failure> {
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the module is loaded.
        check(unsafe { functions::cuFuncSetAttribute(self.0, attribute, bytes.cast_signed()) })
    }

    /// Where its parameters are, in order; `None` if the driver cannot tell (before 12.4).
    pub(in crate::cuda) fn parameters(self) -> Result<Option<Vec<LoadedParameter>>, Failure> {
        let Some(ask) = parameter_info() else { return Ok(None) };
        let mut parameters = Vec::new();
        loop {
            let (mut offset, mut size) = (0_usize, 0_usize);
            // SAFETY: the module is loaded and both places are valid.
            match check(unsafe { ask(self.0, parameters.len(), &raw mut offset, &raw mut size) }) {
                Ok(()) => parameters.push(LoadedParameter { offset, size }),
                Err(failure) if failure.is_invalid_value() => return Ok(Some(parameters)),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Launches into a stream.
    ///
    /// # Safety
    /// `arguments` has one pointer per parameter, each to a value of the parameter's size; what those values point to is what the
    /// kernel expects until the stream gets there.
    pub(in crate::cuda) unsafe fn launch(
        self,
        [grid, block]: [[u32; 3]; 2],
        shared: u32,
        arguments: &mut [*mut c_void],
        stream: &Stream,
    ) -> Result<(), Failure> {
        let [[gx, gy, gz], [bx, by, bz]] = [grid, block];
        let arguments = arguments.as_mut_ptr();
        // SAFETY: the caller's promise.
        check(unsafe {
            functions::cuLaunchKernel(
                self.0,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shared,
                stream.raw(),
                arguments,
                std::ptr::null_mut(),
            )
        })
    }

    fn attribute(self, attribute: CUfunction_attribute) -> Result<u32, Failure> {
        let mut value: c_int = 0;
        // SAFETY: the module is loaded and `value` is a valid place.
        check(unsafe { functions::cuFuncGetAttribute(&raw mut value, attribute, self.0) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }
}
