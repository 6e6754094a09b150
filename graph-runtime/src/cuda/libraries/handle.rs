//! A library's handle: used by one call at a time, destroyed when no graph has anything of it.

use std::sync::{Arc, Mutex, PoisonError};

use super::find::Library;
use crate::call::CaptureStream;
use crate::cuda::convert::state;
use crate::cuda::device::DeviceState;
use crate::cuda::driver::{Doing as _, apart_from_captures};
use crate::device::{Device, DeviceKind};
use crate::error::{Error, Result};

/// A handle, if its device is a CUDA device.
pub(super) struct Handle<H: Copy + 'static>(Option<Arc<Open<H>>>);

struct Open<H: Copy> {
    raw: Mutex<H>,
    device: Arc<DeviceState>,
    destroy: unsafe fn(H) -> Result<(), String>,
}

// SAFETY: the libraries' handles may be used from any thread, by one at a time: the lock sees to that.
unsafe impl<H: Copy> Send for Open<H> {}
// SAFETY: as above.
unsafe impl<H: Copy> Sync for Open<H> {}

impl<H: Copy + 'static> Handle<H> {
    /// A new one. On other devices than CUDA's there is none, and calls are refused.
    ///
    /// # Safety
    /// `destroy` destroys what `create` makes.
    pub(super) unsafe fn new(
        device: &Device,
        library: &Library,
        create: impl FnOnce() -> Result<H, String>,
        destroy: unsafe fn(H) -> Result<(), String>,
    ) -> Result<Self> {
        if !matches!(device.kind(), DeviceKind::Cuda(_)) {
            return Ok(Self(None));
        }
        let device = state(device.backend())?;
        library.require()?;
        device.context().bind().doing(|| format!("opening {}", library.name))?;
        let created = apart_from_captures(create)
            .map_err(|told| Error::Unavailable(format!("{} {told}, when it is opened", library.name)));
        Ok(Self(Some(Arc::new(Open { raw: Mutex::new(created?), device, destroy }))))
    }

    /// Whether there is one.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Uses it outside of captures.
    #[cfg(any(feature = "cusolver", feature = "cufft"))]
    pub(super) fn ask<R>(&self, ask: impl FnOnce(H) -> Option<R>) -> Option<R> {
        let open = self.0.as_ref()?;
        open.device.context().bind().ok()?;
        ask(*open.raw.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Uses it in a capture, whose graph keeps it from now on.
    pub(super) fn call(
        &self,
        library: &Library,
        stream: &CaptureStream,
        call: impl FnOnce(H) -> Result<(), String>,
    ) -> Result<()> {
        let Some(open) = &self.0 else { return Err(no_device(library)) };
        let (ours, theirs) = (open.device.ordinal(), stream.ordinal());
        if ours != theirs {
            return Err(Error::Call(format!(
                "{} was opened on CUDA device {ours}, and the graph is on device {theirs}",
                library.name
            )));
        }
        open.device.context().bind().doing(|| format!("calling {}", library.name))?;
        stream.keep(Arc::clone(open));
        let raw = open.raw.lock().unwrap_or_else(PoisonError::into_inner);
        call(*raw).map_err(|told| Error::Call(format!("{} {told}", library.name)))
    }
}

fn no_device(library: &Library) -> Error {
    Error::Call(format!("{} was opened on a device that is no CUDA device", library.name))
}

impl<H: Copy> Drop for Open<H> {
    fn drop(&mut self) {
        let raw = *self.raw.get_mut().unwrap_or_else(PoisonError::into_inner);
        let context = self.device.context().bind().map_err(|failure| failure.code().to_string());
        // SAFETY: `Handle::new`'s contract; nobody has it any more.
        if let Err(told) = context.and_then(|()| apart_from_captures(|| unsafe { (self.destroy)(raw) })) {
            tracing::warn!("a library's handle could not be destroyed: {told}");
        }
    }
}
