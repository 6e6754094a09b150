//! Events.

use std::time::Duration;

use cudarc::driver::sys::{self, CUevent, CUstream};

use super::error::{Failure, check};
use super::{Context, functions, symbols};

/// `cuEventElapsedTime`.
type ElapsedTime = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> u32;

/// The function that measures between two events: under its name since 12.8, or under the one before. The bindings know one of them,
/// which may be another one than the driver has.
fn elapsed_time() -> Option<ElapsedTime> {
    // SAFETY: both have this signature (CUDA Driver API, event management), and the library is never unloaded.
    let find =
        |symbol: &str| unsafe { symbols::driver()?.get::<ElapsedTime>(symbol.as_bytes()) }.ok().map(|found| *found);
    ["cuEventElapsedTime_v2", "cuEventElapsedTime"].into_iter().find_map(find)
}

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
        check(unsafe { functions::cuEventCreate(&raw mut raw, flags) })?;
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
        check(unsafe { functions::cuEventSynchronize(self.raw) })
    }

    /// The time from this event to a later one, both with timing.
    pub(in crate::cuda) fn elapsed(&self, later: &Self) -> Result<Duration, Failure> {
        let measure = elapsed_time().ok_or(Failure::NOT_FOUND)?;
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive, and `milliseconds` is a valid place.
        check(unsafe { measure(&raw mut milliseconds, self.raw, later.raw) })?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }

    /// Records what a stream of this context holds so far.
    pub(in crate::cuda) fn record(&self, stream: CUstream) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        check(unsafe { functions::cuEventRecord(self.raw, stream) })
    }

    /// Whether what was recorded is over.
    pub(in crate::cuda) fn finished(&self) -> Result<bool, Failure> {
        // SAFETY: the event is alive.
        match check(unsafe { functions::cuEventQuery(self.raw) }) {
            Ok(()) => Ok(true),
            Err(failure) if failure.is_not_ready() => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is ours and not used afterwards; streams that wait for it keep what they need.
        self.context.give_back("a CUDA event", || check(unsafe { functions::cuEventDestroy_v2(self.raw) }));
    }
}
