//! A graph's launches: its stream, how many were made, and how many are known to be over.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::build::Failures;
use super::driver::{Context, Doing, Event, Failure, Stream};
use super::fault::Faults;
use crate::device::Fence;
use crate::error::Result;
use crate::nvtx;

/// The launches of one graph. Lives on when the graph is gone.
#[derive(Debug)]
pub(super) struct CudaFence {
    what: String,
    context: Context,
    stream: Stream,
    launched: AtomicU64,
    finished: AtomicU64,
    marker: Mutex<Marker>,
    faults: Faults,
    /// Of its callbacks.
    failures: Failures,
}

/// An event in the stream, recorded when somebody asks.
#[derive(Debug)]
struct Marker {
    event: Event,
    /// Everything up to this launch is in front of the event.
    covers: u64,
}

impl CudaFence {
    /// A stream of its own, without launches. `what` it is of: "graph `Canny`".
    pub(super) fn new(context: Context, what: impl Into<String>) -> Result<Self, Failure> {
        let stream = Stream::new(context)?;
        let marker = Mutex::new(Marker { event: Event::new(context)?, covers: 0 });
        let what = what.into();
        nvtx::name_stream(stream.raw().cast(), || what.clone());
        let (launched, finished, faults) = (AtomicU64::new(0), AtomicU64::new(0), Faults::default());
        Ok(Self { what, context, stream, launched, finished, marker, faults, failures: Failures::default() })
    }

    /// Where callbacks leave what went wrong.
    pub(super) fn failures(&self) -> &Failures {
        &self.failures
    }

    /// What a callback has left since somebody last asked.
    fn failure(&self) -> Result<()> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Where the graph is launched.
    pub(super) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// What its launches have found wrong.
    pub(super) fn faults(&self) -> &Faults {
        &self.faults
    }

    /// What it is of, for messages.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// Counts a launch that has been put into the stream.
    pub(super) fn count_launch(&self) {
        self.launched.fetch_add(1, Ordering::Release);
    }

    /// Where it is.
    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// Makes later launches wait for what `stream` holds so far.
    pub(super) fn follow(&self, stream: &Stream) -> Result<(), Failure> {
        let event = Event::new(self.context)?;
        event.record(stream.raw())?;
        self.stream.wait_for(&event)
    }

    /// Makes `stream` wait for everything launched so far.
    pub(super) fn hold(&self, stream: &Stream) -> Result<(), Failure> {
        self.context.bind()?;
        let mut marker = self.marker();
        self.record(&mut marker)?;
        stream.wait_for(&marker.event)
    }

    fn marker(&self) -> MutexGuard<'_, Marker> {
        self.marker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, marker: &mut Marker) -> Result<(), Failure> {
        let covers = self.launched.load(Ordering::Acquire);
        marker.event.record(self.stream.raw())?;
        marker.covers = covers;
        Ok(())
    }

    fn ask(&self, launch: u64) -> Result<(), Failure> {
        self.context.bind()?;
        let mut marker = self.marker();
        if marker.covers < launch {
            self.record(&mut marker)?;
        }
        if marker.event.finished()? {
            self.finished.fetch_max(marker.covers, Ordering::AcqRel);
        }
        Ok(())
    }
}

/// What nobody has asked for is told to the log. Whoever has to do with a launch that runs holds the fence, so none runs now.
impl Drop for CudaFence {
    fn drop(&mut self) {
        for error in self.failure().err().into_iter().chain(self.faults.take()) {
            tracing::error!("a launch of {}, which is dropped, has failed: {error}", self.what);
        }
    }
}

impl Fence for CudaFence {
    fn launched(&self) -> u64 {
        self.launched.load(Ordering::Acquire)
    }

    fn finished(&self, launch: u64) -> bool {
        if launch <= self.finished.load(Ordering::Acquire) {
            return true;
        }
        if let Err(failure) = self.ask(launch) {
            tracing::warn!(code = failure.code(), what = self.what, "CUDA does not say whether launches are over");
            return false;
        }
        launch <= self.finished.load(Ordering::Acquire)
    }

    fn settled(&self, launch: u64) -> bool {
        let over = || launch <= self.finished.load(Ordering::Acquire);
        over() || self.ask(launch).is_err() || over()
    }

    fn has_fault(&self) -> bool {
        self.faults.any()
    }

    fn wait(&self, launch: u64) -> Result<()> {
        if launch <= self.finished.load(Ordering::Acquire) && !self.faults.any() {
            return self.failure();
        }
        let doing = || format!("waiting for launch {launch} of {}", self.what);
        self.context.bind().doing(doing)?;
        let launched = self.launched.load(Ordering::Acquire);
        self.stream.synchronize().doing(doing)?;
        self.finished.fetch_max(launched, Ordering::AcqRel);
        self.failure()?;
        self.faults.take().map_or(Ok(()), Err)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
