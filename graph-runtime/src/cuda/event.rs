//! Events on a CUDA device.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::CudaStream;

use super::device::DeviceState;
use super::driver::{self, Doing, EventRef, Stream};
use crate::call::{Event, RawEvent, never_recorded};
use crate::device::DeviceKind;
use crate::error::{Error, Result};

/// An event that measures time.
#[derive(Debug)]
pub(super) struct CudaEvent {
    event: driver::Event,
    device: Arc<DeviceState>,
}

/// For nodes that record it or wait for it.
pub(super) fn handle(event: &Event) -> Option<EventRef> {
    of(event).map(|event| event.event.handle())
}

fn of(event: &Event) -> Option<&CudaEvent> {
    event.as_any().downcast_ref()
}

impl CudaEvent {
    pub(super) fn new(device: Arc<DeviceState>) -> Result<Self> {
        let event = driver::Event::timed(device.context()).doing(|| "making an event".to_owned())?;
        Ok(Self { event, device })
    }
}

impl RawEvent for CudaEvent {
    fn device(&self) -> DeviceKind {
        self.device.kind()
    }

    fn wait(&self) -> Result<()> {
        let waited = self.device.context().bind().and_then(|()| self.event.synchronize());
        waited.doing(|| "waiting for an event".to_owned())
    }

    fn finished(&self) -> Result<bool> {
        let asked = self.device.context().bind().and_then(|()| self.event.finished());
        asked.doing(|| "asking whether an event is over".to_owned())
    }

    fn record(&self) -> Result<()> {
        let recorded = self.device.record_now(&self.event);
        recorded.doing(|| "recording an event".to_owned())
    }

    fn elapsed(&self, later: &dyn RawEvent) -> Result<Duration> {
        let Some(later) = later.as_any().downcast_ref::<Self>() else { return Err(never_recorded()) };
        let version = self.device.version();
        if cudarc::driver::sys::CUDA_VERSION >= 13000 && version < driver::Version::SWITCH {
            let what = format!("measuring time between events needs CUDA 12.8, and the driver supports CUDA {version}");
            return Err(Error::Unavailable(format!("{what}\nhelp: update the NVIDIA driver to 570 or newer")));
        }
        let measured = self.device.context().bind().and_then(|()| self.event.elapsed(&later.event));
        match measured {
            // An event without a record is an invalid handle to this call.
            Err(failure) if failure.code() == 400 => Err(never_recorded()),
            other => other.doing(|| "measuring the time between events".to_owned()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Event {
    /// Records what `stream` holds so far, for graphs that wait for the event and are launched from here on.
    ///
    /// # Errors
    /// If the event is not of a CUDA device, or the driver fails.
    pub fn record_on(&self, stream: &CudaStream) -> Result<()> {
        let event = self.cuda()?;
        let bound = event.device.context().bind();
        bound.and_then(|()| event.event.record(stream.cu_stream())).doing(|| "recording an event".to_owned())
    }

    /// Makes later work in `stream` wait for what was recorded last.
    ///
    /// # Errors
    /// If the event is not of a CUDA device, or the driver fails.
    pub fn hold(&self, stream: &CudaStream) -> Result<()> {
        let event = self.cuda()?;
        let context = event.device.context();
        let stream = Stream::borrowed(stream.cu_stream(), context);
        let held = context.bind().and_then(|()| stream.wait_for(&event.event));
        held.doing(|| "making a stream wait for an event".to_owned())
    }

    fn cuda(&self) -> Result<&CudaEvent> {
        of(self).ok_or_else(|| {
            Error::Buffer(format!(
                "an event of {} has no part in a stream: only those of a CUDA device have",
                self.device()
            ))
        })
    }
}
