//! `CudaSlice` to [`Buffer`] and back, by value.
//!
//! Order is kept by events at the conversion, whether or not cudarc tracks the slice: what its stream holds comes before every use by a
//! graph, and the uses by graphs come before everything that its stream does later.

use std::any::Any;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtrMut};
use graph_ir::model::Memory;

use super::adopt::KeptMemory;
use super::device::{CudaDevice, DeviceState, device};
use super::driver::{Doing, Event, Failure, Stream};
use super::fence::CudaFence;
use super::memory::{ForeignMemory, Owner, cuda};
use crate::buffer::{Allocation, Buffer};
use crate::device::{Backend, Fence, RawMemory as _, Use};
use crate::element::Element;
use crate::error::{Error, Result};

impl<T: Element> Buffer<T> {
    /// A buffer that is the memory of a slice. Graphs wait for what the slice's stream holds now.
    ///
    /// # Errors
    /// If the slice's context is not its device's primary one, or the driver fails.
    pub fn from_cuda_slice(mut slice: CudaSlice<T>) -> Result<Self> {
        let backend = device(slice.ordinal())?;
        let state = state(&backend)?;
        same_context(&state, slice.context())?;
        let length = slice.len();
        if length == 0 {
            return Self::zeros(&backend, 0);
        }
        let fence = join(&state, &mut slice).doing(|| "joining the stream of a CudaSlice".to_owned())?;
        let address = address(&mut slice);
        let bytes = slice.num_bytes();
        let raw = ForeignMemory { device: state, address, owner: Box::new(Slice(slice)) };
        let allocation = Allocation::new(backend, Box::new(raw), bytes, Memory::Device);
        allocation.begin_use(&fence, true);
        allocation.end_use(&fence, true);
        Ok(Self::from_allocation(allocation, length))
    }

    /// A slice that is the memory of this buffer: the one that it was made of, or a new one of `stream`. The slice's stream waits for the
    /// launches that use the buffer; the host does not.
    ///
    /// # Errors
    /// If the buffer is not on the stream's device, if a graph still names it, if its memory is another owner's
    /// ([`Buffer::from_raw_parts`]), or the driver fails.
    pub fn into_cuda_slice(self, stream: &Arc<CudaStream>) -> Result<CudaSlice<T>> {
        let (allocation, length) = self.into_allocation();
        let state = state(allocation.backend())?;
        same_context(&state, stream.context())?;
        let pending = allocation.pending();
        let allocation = Arc::try_unwrap(allocation).map_err(|_| still_named())?;
        let doing = || "turning a buffer into a CudaSlice".to_owned();
        stream.context().bind_to_thread().map_err(Failure::from).doing(doing)?;
        let Some(raw) = allocation.into_raw() else { return Err(still_named()) };
        let address = raw.address();
        let raw = match raw.into_any().downcast::<KeptMemory>() {
            Ok(kept) => {
                kept.release(pending);
                return Err(kept_by_another());
            }
            Err(raw) => raw,
        };
        if let Ok(foreign) = raw.downcast::<ForeignMemory>() {
            if let Err(failure) = foreign.owner.wait_for(&pending) {
                // Its destructor would free the memory before the launches that use it are over.
                std::mem::forget(foreign);
                return Err(failure).doing(doing);
            }
            let slice = foreign.owner.into_any().downcast::<Slice<T>>().map_err(|_| other_element())?;
            return Ok(recorded(slice.0));
        }
        if address == 0 {
            return stream.null().map_err(Failure::from).doing(doing);
        }
        let raw = Stream::borrowed(stream.cu_stream(), state.context());
        hold(&pending, &raw).doing(doing)?;
        // SAFETY: the memory was allocated as cudarc allocates (from the default pool if there are pools), has this length, any bits are
        // an element, and nothing else owns it any more.
        Ok(recorded(unsafe { stream.upgrade_device_ptr(address, length) }))
    }
}

/// A slice that a buffer keeps.
struct Slice<T>(CudaSlice<T>);

impl<T: Element> Owner for Slice<T> {
    fn wait_for(&self, pending: &[Use]) -> Result<(), Failure> {
        let stream = self.0.stream();
        let context = super::driver::Context::of(stream.context());
        hold(pending, &Stream::borrowed(stream.cu_stream(), context))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

fn hold(pending: &[Use], stream: &Stream) -> Result<(), Failure> {
    pending.iter().filter_map(cuda).try_for_each(|fence| fence.hold(stream))
}

pub(super) fn state(backend: &Arc<dyn Backend>) -> Result<Arc<DeviceState>> {
    let cuda = backend.as_any().downcast_ref::<CudaDevice>();
    let elsewhere =
        || Error::Buffer(format!("a buffer on {} has no CudaSlice: only those on a CUDA device have", backend.kind()));
    cuda.map(|cuda| Arc::clone(&cuda.state)).ok_or_else(elsewhere)
}

fn same_context(state: &DeviceState, context: &CudaContext) -> Result<()> {
    if context.cu_ctx() == state.owner().cu_ctx() {
        return Ok(());
    }
    Err(Error::Buffer(format!(
        "the slice or stream is on CUDA device {} in another context than the buffer's\nhelp: make it with `CudaContext::new`, which \
         gives the device's primary context",
        context.ordinal()
    )))
}

fn still_named() -> Error {
    Error::Buffer("the buffer cannot become a CudaSlice: a graph still names it\nhelp: drop the graph first".to_owned())
}

fn kept_by_another() -> Error {
    Error::Buffer("the buffer cannot become a CudaSlice: its memory was taken with `from_raw_parts`".to_owned())
}

fn other_element() -> Error {
    Error::Buffer("the buffer cannot become a CudaSlice of another element type than it was made of".to_owned())
}

/// A fence of its own for what the slice's stream holds now, its other streams' uses included.
fn join<T: Element>(state: &DeviceState, slice: &mut CudaSlice<T>) -> Result<Arc<dyn Fence>, Failure> {
    let context = state.context();
    let fence = CudaFence::new(context, "the work on a CudaSlice")?;
    // Where cudarc tracks the slice, this makes its stream wait for its uses in other streams.
    address(slice);
    let event = Event::new(context)?;
    event.record(slice.stream().cu_stream())?;
    fence.stream().wait_for(&event)?;
    fence.count_launch();
    Ok(Arc::new(fence))
}

fn address<T: Element>(slice: &mut CudaSlice<T>) -> u64 {
    let stream = Arc::clone(slice.stream());
    let (address, _recorded) = slice.device_ptr_mut(&stream);
    address
}

/// Lets cudarc know, where it tracks the slice, that its stream has waited for uses.
fn recorded<T: Element>(mut slice: CudaSlice<T>) -> CudaSlice<T> {
    address(&mut slice);
    slice
}
