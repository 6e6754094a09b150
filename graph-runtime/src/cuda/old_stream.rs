//! A stream for old code that is compared with a graph.

use std::sync::Arc;

use super::capture_streams::Lent;
use super::device::CudaDevice;
use super::driver::Doing;
use crate::call::CaptureStream;
use crate::device::Backend;
use crate::error::Result;

/// A stream of a CUDA device, whose context is current from here on, and what waits for it. `None` for other devices.
pub(crate) fn old_stream(backend: &Arc<dyn Backend>) -> Result<Option<(CaptureStream, OldWork)>> {
    let Some(device) = backend.as_any().downcast_ref::<CudaDevice>() else { return Ok(None) };
    let context = device.state.context();
    let made = context.bind().and_then(|()| device.state.capture_stream());
    let lent = made.doing(|| "making a stream for the old code".to_owned())?;
    Ok(Some((CaptureStream::new(Arc::clone(lent.named())), OldWork { lent, context })))
}

/// Everything that is put into such a stream.
pub(crate) struct OldWork {
    lent: Lent,
    context: super::driver::Context,
}

impl OldWork {
    /// Waits for it.
    pub(crate) fn wait(&self) -> Result<()> {
        let waited = self.context.bind().and_then(|()| self.lent.stream().synchronize());
        waited.doing(|| "running the old code".to_owned())
    }
}
