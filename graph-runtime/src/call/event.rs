//! Events: points in a graph's run that others wait for, and between which time is measured.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::device::DeviceKind;
use crate::error::{Error, Result};

/// An event of a device: recorded by `record(&e)` in a graph, waited for by `wait(&e)` in another, or by the host.
///
/// A clone is the same event. Until it is recorded for the first time, waiting for it does not wait.
#[derive(Clone)]
pub struct Event(Arc<dyn RawEvent>);

/// An event of one kind of device.
pub(crate) trait RawEvent: Send + Sync + fmt::Debug {
    /// Of which device.
    fn device(&self) -> DeviceKind;

    /// Blocks until what was recorded last is over.
    fn wait(&self) -> Result<()>;

    /// Whether it is over.
    fn finished(&self) -> Result<bool>;

    /// Records now, from the host.
    fn record(&self) -> Result<()>;

    /// The time from this event to a later one of the same device; the caller has waited for both.
    fn elapsed(&self, later: &dyn RawEvent) -> Result<Duration>;

    /// For the backend that made it.
    fn as_any(&self) -> &dyn Any;
}

impl Event {
    pub(crate) fn new(raw: Arc<dyn RawEvent>) -> Self {
        Self(raw)
    }

    /// Blocks until what was recorded last is over.
    pub fn synchronize(&self) -> Result<()> {
        self.0.wait()
    }

    /// Whether what was recorded last is over.
    pub fn is_complete(&self) -> Result<bool> {
        self.0.finished()
    }

    /// Records the event from the host, at once: graphs that are launched from here on and wait for it do not wait longer.
    pub fn record(&self) -> Result<()> {
        self.0.record()
    }

    /// The time from this event to a later one, after waiting for both.
    ///
    /// # Errors
    /// If one of the two was never recorded, or they belong to two devices.
    pub fn elapsed(&self, later: &Self) -> Result<Duration> {
        let (from, to) = (self.device(), later.device());
        if from != to {
            return Err(Error::Buffer(format!(
                "no time can be measured between events of {from} and of {to}\nhelp: make both on one device"
            )));
        }
        self.synchronize()?;
        later.synchronize()?;
        self.0.elapsed(&*later.0)
    }

    /// Which device it belongs to.
    pub fn device(&self) -> DeviceKind {
        self.0.device()
    }

    /// For the backend that made it.
    pub(crate) fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({})", self.device())
    }
}

/// No time between events of which one was never recorded.
pub(crate) fn never_recorded() -> Error {
    Error::Buffer(
        "no time can be measured: one of the two events was never recorded\nhelp: launch the graphs that record them first"
            .to_owned(),
    )
}
