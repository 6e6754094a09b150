//! Events.

use std::time::Duration;

use cudarc::driver::sys::{self, CUevent, CUstream};

use super::Context;
use super::error::{Failure, check};

/// An event.
#[derive(Debug)]
pub(in crate::cuda) struct Event {
    raw: CUevent,
    context: Context,
}

// SAFETY: the driver locks events itself; the pointer is only handed to it.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

/// An event for the parameters of nodes; valid while the event lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cuda) struct EventRef(pub(super) CUevent);

impl Event {
    /// A new event without timing. The context becomes current.
    pub(in crate::cuda) fn new(context: Context) -> Result<Self, Failure> {
        Self::with(context, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32)
    }

    /// A new event that measures time. The context becomes current.
    pub(in crate::cuda) fn timed(context: Context) -> Result<Self, Failure> {
        Self::with(context, sys::CUevent_flags::CU_EVENT_DEFAULT as u32)
    }

    fn with(context: Context, flags: u32) -> Result<Self, Failure> {
        context.bind()?;
        let mut raw: CUevent = std::ptr::null_mut();
        // SAFETY: a context is current and `raw` is a valid place.
        check(unsafe { sys::cuEventCreate(&raw mut raw, flags) })?;
        Ok(Self { raw, context })
    }

    /// For other calls of this layer.
    pub(super) fn raw(&self) -> CUevent {
        self.raw
    }

    /// For nodes.
    pub(in crate::cuda) fn handle(&self) -> EventRef {
        EventRef(self.raw)
    }

    /// Blocks until what was recorded is over.
    pub(in crate::cuda) fn synchronize(&self) -> Result<(), Failure> {
        // SAFETY: the event is alive.
        check(unsafe { sys::cuEventSynchronize(self.raw) })
    }

    /// The time from this event to a later one, both with timing.
    pub(in crate::cuda) fn elapsed(&self, later: &Self) -> Result<Duration, Failure> {
        // SAFETY: both events are alive.
        let milliseconds = unsafe { cudarc::driver::result::event::elapsed(self.raw, later.raw) }?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
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
        // SAFETY: the event is ours and not used afterwards; streams that wait for it keep what they need.
        self.context.give_back("a CUDA event", || check(unsafe { sys::cuEventDestroy_v2(self.raw) }));
    }
}
