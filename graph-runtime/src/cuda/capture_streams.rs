//! Streams that are captured, in cudarc's type: closures hand them to code that knows no other.
//!
//! cudarc would make a stream itself, and read the driver's answer as an enum that is closed (rule R010). So the streams are made here,
//! and lent; cudarc's type only names them, and whoever has cloned it has the name of a stream that lives.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::{CudaContext, CudaStream};

use super::driver::{Context, Failure, Retained, Stream};

/// The streams of a device that nobody captures at the moment.
pub(super) struct CaptureStreams {
    ordinal: usize,
    context: Context,
    /// cudarc's view of the context: it tracks no slices, for a capture cannot hold their events.
    untracked: OnceLock<Arc<CudaContext>>,
    idle: Mutex<Vec<Stream>>,
}

/// A stream to capture, given back when this is dropped.
pub(super) struct Lent {
    /// There until then.
    stream: Option<Stream>,
    named: Arc<CudaStream>,
    home: Arc<CaptureStreams>,
    is_captured: bool,
}

impl CaptureStreams {
    /// None yet.
    pub(super) fn new(ordinal: usize, context: Context) -> Arc<Self> {
        Arc::new(Self { ordinal, context, untracked: OnceLock::new(), idle: Mutex::default() })
    }

    /// One that nobody else has.
    pub(super) fn lend(self: &Arc<Self>) -> Result<Lent, Failure> {
        let untracked = Arc::clone(self.untracked()?);
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let stream = idle.map_or_else(|| Stream::new(self.context), Ok)?;
        // SAFETY: the stream is of this context, and lives as long as the name: it is kept, or destroyed with its only name. Those who have
        // it, one after the other, put their work in behind that of the one before.
        let named = unsafe { untracked.wrap_borrowed_stream(stream.raw()) };
        Ok(Lent { stream: Some(stream), named, home: Arc::clone(self), is_captured: false })
    }

    fn untracked(&self) -> Result<&Arc<CudaContext>, Failure> {
        if let Some(context) = self.untracked.get() {
            return Ok(context);
        }
        let retained = Retained::new(self.ordinal)?;
        let context = CudaContext::new(self.ordinal)?;
        drop(retained);
        // SAFETY: nothing is allocated through this view of the context, so there is no slice that would lack its events.
        unsafe { context.disable_event_tracking() };
        Ok(self.untracked.get_or_init(|| context))
    }
}

impl Lent {
    /// As cudarc has it.
    pub(super) fn named(&self) -> &Arc<CudaStream> {
        &self.named
    }

    /// As this crate has it.
    pub(super) fn stream(&self) -> Stream {
        Stream::borrowed(self.named.cu_stream(), self.home.context)
    }

    /// Its capture has not ended, so it is not lent again.
    pub(super) fn leave_captured(&mut self) {
        self.is_captured = true;
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if !self.is_captured {
            self.home.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.stream.take());
        } else if Arc::strong_count(&self.named) > 1 {
            // Somebody has its name, and no way to know when that goes.
            std::mem::forget(self.stream.take());
        }
    }
}
