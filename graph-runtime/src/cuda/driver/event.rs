//! Events.

use cudarc::driver::sys::{self, CUevent, CUstream};

use super::Context;
use super::error::{Failure, check};

/// An event without timing.
#[derive(Debug)]
pub(in crate::cuda) struct Event {
    raw: CUevent,
    context: Context,
}

// SAFETY: the driver locks events itself; the pointer is only handed to it.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// A new event. The context becomes current.
    pub(in crate::cuda) fn new(context: Context) -> Result<Self, Failure> {
        context.bind()?;
        let mut raw: CUevent = std::ptr::null_mut();
        let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: a context is current and `raw` is a valid place.
        check(unsafe { sys::cuEventCreate(&raw mut raw, flags) })?;
        Ok(Self { raw, context })
    }

    /// For other calls of this layer.
    pub(super) fn raw(&self) -> CUevent {
        self.raw
    }

    /// Records what a stream of this context holds so far.
    pub(in crate::cuda) fn record(&self, stream: CUstream) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        check(unsafe { sys::cuEventRecord(self.raw, stream) })
    }

    /// Whether what was recorded is over.
    pub(in crate::cuda) fn finished(&self) -> Result<bool, Failure> {
        // SAFETY: the event is alive.
        match check(unsafe { sys::cuEventQuery(self.raw) }) {
            Ok(()) => Ok(true),
            Err(failure) if failure.is_not_ready() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let bound = self.context.bind();
        // SAFETY: the event is ours and not used afterwards; streams that wait for it keep what they need.
        if let Err(failure) = bound.and_then(|()| check(unsafe { sys::cuEventDestroy_v2(self.raw) })) {
            tracing::warn!(code = failure.code(), "a CUDA event could not be destroyed");
        }
    }
}
