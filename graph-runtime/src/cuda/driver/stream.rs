//! Streams.

use cudarc::driver::sys::{self, CUstream};

use super::error::{Failure, check};
use super::{Context, Event, EventRef, functions};

/// A stream; ours do not wait for the default stream.
#[derive(Debug)]
pub(in crate::cuda) struct Stream {
    raw: CUstream,
    context: Context,
    owned: bool,
}

// SAFETY: the driver locks streams itself; the pointer is only handed to it.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// A new stream. The context becomes current.
    pub(in crate::cuda) fn new(context: Context) -> Result<Self, Failure> {
        context.bind()?;
        let mut raw: CUstream = std::ptr::null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: a context is current and `raw` is a valid place.
        check(unsafe { functions::cuStreamCreate(&raw mut raw, flags) })?;
        Ok(Self { raw, context, owned: true })
    }

    /// Somebody else's stream, which outlives this value.
    pub(in crate::cuda) fn borrowed(raw: CUstream, context: Context) -> Self {
        Self { raw, context, owned: false }
    }

    /// For other calls of this layer.
    pub(in crate::cuda) fn raw(&self) -> CUstream {
        self.raw
    }

    /// Records an event that lives.
    pub(in crate::cuda) fn record(&self, event: EventRef) -> Result<(), Failure> {
        // SAFETY: both handles are alive: nodes name events that their graph holds.
        check(unsafe { functions::cuEventRecord(event.0, self.raw) })
    }

    /// Later work in this stream waits for what an event that lives has recorded.
    pub(in crate::cuda) fn wait(&self, event: EventRef) -> Result<(), Failure> {
        // SAFETY: as above.
        check(unsafe { functions::cuStreamWaitEvent(self.raw, event.0, 0) })
    }

    /// Later work in this stream waits for what `event` recorded.
    pub(in crate::cuda) fn wait_for(&self, event: &Event) -> Result<(), Failure> {
        // SAFETY: both handles are alive.
        check(unsafe { functions::cuStreamWaitEvent(self.raw, event.raw(), 0) })
    }

    /// Blocks until everything in the stream is over.
    pub(in crate::cuda) fn synchronize(&self) -> Result<(), Failure> {
        // SAFETY: the stream is alive.
        check(unsafe { functions::cuStreamSynchronize(self.raw) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.owned {
            return;
        }
        // SAFETY: the stream is ours and not used afterwards; work in it runs to its end by itself.
        self.context.give_back("a CUDA stream", || check(unsafe { functions::cuStreamDestroy_v2(self.raw) }));
    }
}
