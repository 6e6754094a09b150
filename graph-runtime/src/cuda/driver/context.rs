//! A device's primary context, retained for the life of the process.

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute};

use super::error::{Failure, check};
use super::functions;

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

/// A device's primary context, retained for as long as this is there: asked for before cudarc asks, with a plain number for an answer
/// (rule R010).
pub(in crate::cuda) struct Retained(CUdevice);

impl Retained {
    /// Of the device with this ordinal.
    pub(in crate::cuda) fn new(ordinal: usize) -> Result<Self, Failure> {
        let (mut device, mut context): (CUdevice, CUcontext) = (0, std::ptr::null_mut());
        let ordinal = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        // SAFETY: the driver is initialised and `device` is a valid place.
        check(unsafe { functions::cuDeviceGet(&raw mut device, ordinal) })?;
        // SAFETY: the device exists and `context` is a valid place.
        check(unsafe { functions::cuDevicePrimaryCtxRetain(&raw mut context, device) })?;
        Ok(Self(device))
    }
}

impl Drop for Retained {
    fn drop(&mut self) {
        // SAFETY: retained, and given back once.
        if let Err(failure) = check(unsafe { functions::cuDevicePrimaryCtxRelease_v2(self.0) }) {
            tracing::warn!(code = failure.code(), "a context could not be given back");
        }
    }
}

impl Context {
    /// What the driver calls the device.
    pub(in crate::cuda) fn device_name(self) -> Result<String, Failure> {
        const BYTES: u16 = 256;
        let mut name = [0_u8; BYTES as usize];
        // SAFETY: the device exists, and the buffer has as many bytes as are said.
        check(unsafe { functions::cuDeviceGetName(name.as_mut_ptr().cast(), c_int::from(BYTES), self.device) })?;
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        Ok(name.to_string_lossy().into_owned())
    }

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
        check(unsafe { functions::cuCtxGetCurrent(&raw mut current) })?;
        if current == self.raw {
            return Ok(());
        }
        // SAFETY: the context is retained.
        check(unsafe { functions::cuCtxSetCurrent(self.raw) })
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
        check(unsafe { functions::cuDeviceGetAttribute(&raw mut value, attribute, self.device) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }
}
