//! A device's primary context, retained for the life of the process.

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{self, CUcontext, CUdevice, CUdevice_attribute};

use super::error::{Failure, check};

/// What can be asked about a device.
pub(in crate::cuda) use cudarc::driver::sys::CUdevice_attribute as Attribute;

/// A primary context and its device. Copied freely: whoever retained it never releases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct Context {
    raw: CUcontext,
    device: CUdevice,
}

// SAFETY: a context may be current in any number of threads at once; the pointer is only handed to the driver.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// The context that cudarc retained. The caller keeps `owner` for the life of the process.
    pub(in crate::cuda) fn of(owner: &Arc<CudaContext>) -> Self {
        Self { raw: owner.cu_ctx(), device: owner.cu_device() }
    }

    /// For parameters that name a context.
    pub(super) fn raw(self) -> CUcontext {
        self.raw
    }

    /// Makes it current in this thread.
    pub(in crate::cuda) fn bind(self) -> Result<(), Failure> {
        let mut current: CUcontext = std::ptr::null_mut();
        // SAFETY: the driver is initialised (there is a context) and `current` is a valid place.
        check(unsafe { sys::cuCtxGetCurrent(&raw mut current) })?;
        if current == self.raw {
            return Ok(());
        }
        // SAFETY: the context is retained.
        check(unsafe { sys::cuCtxSetCurrent(self.raw) })
    }

    /// Gives something of this context's back. It is tried where the context cannot be made current too: most calls do without.
    pub(super) fn give_back(self, what: &str, call: impl FnOnce() -> Result<(), Failure>) {
        let bound = self.bind();
        if let Err(failure) = call() {
            let first = bound.err().unwrap_or(failure);
            tracing::warn!(code = first.code(), "{what} could not be destroyed");
        }
    }

    /// One of the device's numbers.
    pub(in crate::cuda) fn attribute(self, attribute: CUdevice_attribute) -> Result<u32, Failure> {
        let mut value: c_int = 0;
        // SAFETY: the device exists and `value` is a valid place.
        check(unsafe { sys::cuDeviceGetAttribute(&raw mut value, attribute, self.device) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }
}
