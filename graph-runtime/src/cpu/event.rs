//! Events on the CPU.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::queue::CpuFence;
use crate::call::{Event, RawEvent, never_recorded};
use crate::device::{DeviceKind, Fence};
use crate::error::Result;

/// When it was reached, and by which launch it will be.
#[derive(Debug)]
pub(super) struct CpuEvent {
    device: DeviceKind,
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    pending: Option<(Weak<CpuFence>, u64)>,
    reached: Option<Instant>,
}

/// The CPU's own event behind one, if it is.
pub(super) fn of(event: &Event) -> Option<&CpuEvent> {
    event.as_any().downcast_ref()
}

impl CpuEvent {
    pub(super) fn new(device: DeviceKind) -> Self {
        Self { device, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A launch that records it has been queued.
    pub(super) fn expect(&self, fence: &Arc<CpuFence>, launch: u64) {
        self.lock().pending = Some((Arc::downgrade(fence), launch));
    }

    /// The run has come to its `record`.
    pub(super) fn reach(&self) {
        self.lock().reached = Some(Instant::now());
    }

    /// The launch that will have recorded it, unless it is over or one of `own`.
    pub(super) fn pending(&self, own: Option<&Arc<CpuFence>>) -> Option<(Arc<CpuFence>, u64)> {
        let (fence, launch) = self.lock().pending.clone()?;
        let fence = fence.upgrade()?;
        let other = own.is_none_or(|own| !Arc::ptr_eq(own, &fence));
        (other && !fence.finished(launch)).then_some((fence, launch))
    }
}

impl RawEvent for CpuEvent {
    fn device(&self) -> DeviceKind {
        self.device
    }

    fn wait(&self) -> Result<()> {
        self.pending(None).map_or(Ok(()), |(fence, launch)| fence.wait(launch))
    }

    fn finished(&self) -> Result<bool> {
        Ok(self.pending(None).is_none())
    }

    fn record(&self) -> Result<()> {
        *self.lock() = State { pending: None, reached: Some(Instant::now()) };
        Ok(())
    }

    fn elapsed(&self, later: &dyn RawEvent) -> Result<Duration> {
        let later = later.as_any().downcast_ref::<Self>().and_then(|later| later.lock().reached);
        let (Some(from), Some(to)) = (self.lock().reached, later) else { return Err(never_recorded()) };
        Ok(to.saturating_duration_since(from))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
