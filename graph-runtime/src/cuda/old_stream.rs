//! A stream for old code that is compared with a graph.

use std::sync::Arc;

use super::device::CudaDevice;
use super::driver::{Doing, Stream};
use crate::call::CaptureStream;
use crate::device::Backend;
use crate::error::Result;

/// A stream of a CUDA device, whose context is current from here on. `None` for other devices.
pub(crate) fn old_stream(backend: &Arc<dyn Backend>) -> Result<Option<CaptureStream>> {
    let Some(device) = backend.as_any().downcast_ref::<CudaDevice>() else { return Ok(None) };
    let made = device.state.context().bind().and_then(|()| device.state.capture_stream());
    Ok(Some(CaptureStream::new(made.doing(|| "making a stream for the old code".to_owned())?)))
}

/// A handle of such a stream, by which one can wait for it.
pub(crate) struct OldWork {
    stream: Arc<cudarc::driver::CudaStream>,
    context: super::driver::Context,
}

impl OldWork {
    /// Of everything that is put into the stream.
    pub(crate) fn of(stream: &CaptureStream) -> Self {
        // SAFETY: nothing is put into it here.
        let stream = Arc::clone(unsafe { stream.cuda_stream() });
        let context = super::driver::Context::of(stream.context());
        Self { stream, context }
    }

    /// Waits for it.
    pub(crate) fn wait(&self) -> Result<()> {
        let waited =
            self.context.bind().and_then(|()| Stream::borrowed(self.stream.cu_stream(), self.context).synchronize());
        waited.doing(|| "running the old code".to_owned())
    }
}
