//! Launches in the order of somebody else's stream.

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUstream;

use super::driver::{Context, Doing, Stream};
use super::fence::CudaFence;
use crate::error::{Error, Result};
use crate::graph::{Graph, Ticket};
use crate::program::Program;

impl<P: Program> Graph<'_, P> {
    /// Launches behind what `stream` holds, and makes what is put into it from here on wait for the launch. The graph still runs in a
    /// stream of its own, and in order with everything that it shares buffers with.
    ///
    /// # Errors
    /// As [`Graph::launch`], if the graph is not on a CUDA device, and if the stream is another device's.
    pub fn launch_on(&mut self, stream: &CudaStream) -> Result<Ticket> {
        let context = self.cuda_fence()?.context();
        if Context::of(stream.context()) != context {
            let (name, device) = (self.name(), self.device());
            let what = format!("graph `{name}` cannot be launched on this stream: it is on {}", device.kind());
            return Err(Error::Unavailable(format!("{what}, and the stream is another device's")));
        }
        // SAFETY: the stream is alive and of the graph's device.
        unsafe { self.launch_on_raw(stream.cu_stream()) }
    }

    /// The same for a stream by its handle, as other bindings and libraries have it.
    ///
    /// # Safety
    /// The stream is alive, and it belongs to the primary context of the graph's device; null is the default stream.
    ///
    /// # Errors
    /// As [`Graph::launch`], and if the graph is not on a CUDA device.
    pub unsafe fn launch_on_raw(&mut self, stream: CUstream) -> Result<Ticket> {
        let fence = self.cuda_fence()?;
        let stream = Stream::borrowed(stream, fence.context());
        fence.follow(&stream).doing(|| "making a graph wait for a stream".to_owned())?;
        self.launch()?;
        self.cuda_fence()?.hold(&stream).doing(|| "making a stream wait for a graph".to_owned())?;
        Ok(self.ticket())
    }

    fn cuda_fence(&self) -> Result<&CudaFence> {
        self.fence().as_any().downcast_ref().ok_or_else(|| {
            let (name, kind) = (self.name(), self.device().kind());
            let what = format!("graph `{name}` cannot be launched on a stream: it is on {kind}, which has none");
            Error::Unavailable(format!("{what}\nhelp: use `launch()`, and `ticket()` to wait for it"))
        })
    }
}
