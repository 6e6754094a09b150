//! The stream of a capture.

use std::cell::Cell;
use std::fmt;

/// The stream that a `capture` closure puts its work into. Nothing runs: what is put in becomes part of the graph.
pub struct CaptureStream {
    #[cfg(feature = "cuda")]
    stream: std::sync::Arc<cudarc::driver::CudaStream>,
    #[cfg(feature = "cuda")]
    other: std::sync::Arc<cudarc::driver::CudaStream>,
    /// The closure has promised what its calls touch.
    promised: Cell<bool>,
    /// The closure has said that it puts nothing in.
    #[cfg(feature = "cuda")]
    empty: Cell<bool>,
    /// What the graph keeps.
    #[cfg(feature = "cuda")]
    kept: std::cell::RefCell<Vec<Kept>>,
}

/// Something that a graph keeps for a call that was captured into it.
#[cfg(feature = "cuda")]
pub(crate) type Kept = Box<dyn std::any::Any + Send + Sync>;

impl CaptureStream {
    /// Whether the closure has taken the stream out.
    #[cfg(feature = "cuda")]
    pub(crate) fn promised(&self) -> bool {
        self.promised.get()
    }
}

#[cfg(feature = "cuda")]
impl CaptureStream {
    pub(crate) fn new(stream: std::sync::Arc<cudarc::driver::CudaStream>) -> Self {
        let other = stream.context().default_stream();
        Self { stream, other, promised: Cell::new(false), empty: Cell::new(false), kept: std::cell::RefCell::default() }
    }

    /// A stream of the same device that is not captured.
    pub(crate) fn other(&self) -> &std::sync::Arc<cudarc::driver::CudaStream> {
        &self.other
    }

    /// What the call that was captured needs for as long as the graph may run: it is dropped when the graph is gone and its last launch is
    /// over, or when the call is captured anew.
    pub fn keep(&self, owner: impl std::any::Any + Send + Sync) {
        self.kept.borrow_mut().push(Box::new(owner));
    }

    /// The call has nothing to put in, for these arguments: an empty capture is refused otherwise, since a call that has gone into another
    /// stream looks the same.
    pub fn leave_empty(&self) {
        self.empty.set(true);
    }

    /// Whether nothing was to be put in.
    pub(crate) fn is_left_empty(&self) -> bool {
        self.empty.get()
    }

    /// What is to be kept.
    pub(crate) fn into_kept(self) -> Vec<Kept> {
        self.kept.into_inner()
    }

    pub(crate) fn context(&self) -> &std::sync::Arc<cudarc::driver::CudaContext> {
        self.stream.context()
    }

    /// The device's number.
    pub fn ordinal(&self) -> usize {
        self.stream.context().ordinal()
    }

    /// The stream for functions of C: calling one is where `unsafe` stands.
    pub fn raw(&self) -> cudarc::driver::sys::CUstream {
        self.stream.cu_stream()
    }

    /// The stream for cudarc and libraries on it.
    ///
    /// Its context does not track slices by events, which a capture cannot hold; slices of other contexts that are tracked cannot be
    /// used here.
    ///
    /// # Safety
    /// What is put into the stream touches only the buffers that the statement names, as it names them, and memory that stays as long as
    /// the graph does. Nothing is put into it when the closure has returned.
    pub unsafe fn cuda_stream(&self) -> &std::sync::Arc<cudarc::driver::CudaStream> {
        self.promised.set(true);
        &self.stream
    }
}

impl fmt::Debug for CaptureStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CaptureStream(promised: {})", self.promised.get())
    }
}
