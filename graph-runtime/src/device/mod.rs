//! Devices: where buffers lie and graphs run.

mod backend;
mod choose;
mod held;

use std::fmt;
use std::sync::Arc;

use graph_ir::model::Memory;

use crate::buffer::{Allocation, Buffer, Mailbox, MailboxElement, PinnedBuffer};
use crate::call::Event;
use crate::cpu::{CpuBackend, CpuOptions, Reversal};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::graph::Launcher;
use crate::plan::Planning;

pub use backend::DeviceKind;
pub(crate) use backend::{Backend, Bindings, BoundMemory, Executable, Fence, RawMemory, Taken, Use};
pub use held::HeldMemory;
pub(crate) use held::{Held, full};

/// A device: a CUDA device or the host's processor. Cheap to clone.
#[derive(Clone)]
pub struct Device {
    backend: Arc<dyn Backend>,
    planning: Planning,
    /// Of a test.
    launcher: Option<Arc<dyn Launcher>>,
}

impl Device {
    /// The host's processor: the same plans, parallel over independent nodes.
    pub fn cpu() -> Self {
        Self::of_cpu(CpuOptions::default())
    }

    /// A device that runs everything but the kernels: graphs are checked, planned and launched, copies, fills and assignments move
    /// data, kernels (with a CPU body or without) are passed over, and so are conditionals, whose tests would read what kernels did
    /// not write. For tests of a graph's shape, lengths and bindings on a machine without a GPU.
    pub fn dry() -> Self {
        Self::of_cpu(CpuOptions { dry: true, ..CpuOptions::default() })
    }

    /// The CUDA device with this ordinal.
    ///
    /// # Errors
    /// If there is no driver, no such device, or the crate was built without the feature `cuda`; the text says which.
    #[cfg(feature = "cuda")]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::of(&crate::cuda::device(ordinal)?))
    }

    /// The CUDA device with this ordinal.
    ///
    /// # Errors
    /// Always: the crate was built without the feature `cuda`.
    #[cfg(not(feature = "cuda"))]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Err(Error::Unavailable(format!(
            "CUDA device {ordinal} cannot be used: graph-runtime was built without its feature `cuda`\n\
             help: build with the default features, or use `Device::cpu()`"
        )))
    }

    /// A CUDA device if there is one, else the CPU. The environment variable `CUDA_GRAPH_DEVICE` overrides the choice: `cpu`,
    /// `cuda:1`, `dry`.
    ///
    /// # Errors
    /// If the variable names a device that cannot be used, or is none of the forms above.
    pub fn best() -> Result<Self> {
        choose::best()
    }

    /// On the CPU, runs the nodes of each region one by one, in a random order that the plan's edges allow: a hazard that no edge
    /// covers becomes a wrong result. The same seed gives the same orders. A CUDA device is returned as it is.
    #[must_use]
    pub fn shuffled(self, seed: u64) -> Self {
        self.with_options(|options| options.shuffle = Some(seed))
    }

    /// On the CPU, a launch only queues its work, which runs when somebody waits for it. For tests of what must wait. A CUDA device is
    /// returned as it is.
    #[must_use]
    pub fn deferred(self) -> Self {
        self.with_options(|options| options.deferred = true)
    }

    /// On the CPU, runs graphs with an edge turned around. A CUDA device is returned as it is.
    #[doc(hidden)]
    #[must_use]
    pub fn reversing(self, reversal: Arc<Reversal>) -> Self {
        self.with_options(|options| options.reversal = Some(reversal))
    }

    /// Lets a launcher launch what is built on this device from here on. On every device.
    #[doc(hidden)]
    #[must_use]
    pub fn launching(self, launcher: Arc<dyn Launcher>) -> Self {
        Self { launcher: Some(launcher), ..self }
    }

    /// On the CPU, runs on this many threads instead of one per core. A CUDA device is returned as it is.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn threads(self, count: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| Error::Unavailable(format!("{count} threads cannot be started: {error}")))?;
        Ok(self.with_options(|options| options.pool = Some(Arc::new(pool))))
    }

    /// From here on refuses ([`CG0512`](crate::errors::CG0512)) what would not be launched as one CUDA graph: a driver without conditional
    /// nodes (CUDA 12.3) runs a graph with conditions by single launches and decides on the host, which is slower, and whose launches
    /// wait. Other devices are returned as they are.
    #[must_use]
    pub fn require_graphs(self) -> Self {
        match self.backend.graphs_only() {
            Some(backend) => Self { backend, ..self },
            None => self,
        }
    }

    /// Graphs that are built for the device from here on are planned by these passes, and by no others. The environment variable
    /// `CUDA_GRAPH_PASSES` changes that for a look, without a change of the program: `-lanes` leaves one out, `reduction,arena` names all
    /// that run, `none` and `all` are what they say.
    #[must_use]
    pub fn planned(self, planning: Planning) -> Self {
        Self { planning, ..self }
    }

    /// By which passes graphs that are built for it are planned.
    pub fn planning(&self) -> Planning {
        self.planning
    }

    /// For people: `NVIDIA H200`, `CPU (16 threads)`.
    pub fn name(&self) -> String {
        self.backend.name()
    }

    /// CPU or CUDA.
    pub fn kind(&self) -> DeviceKind {
        self.backend.kind()
    }

    /// An event for `record` and `wait` in graphs of this device.
    pub fn event(&self) -> Result<Event> {
        self.backend.event().map(Event::new)
    }

    /// A buffer of `length` elements, all bytes zero.
    pub fn zeros<T: Element>(&self, length: usize) -> Result<Buffer<T>> {
        Buffer::zeros(&self.backend, length)
    }

    /// A buffer with these elements.
    pub fn buffer_from<T: Element>(&self, elements: &[T]) -> Result<Buffer<T>> {
        Buffer::of(&self.backend, elements)
    }

    /// Pinned memory of the host, all bytes zero.
    pub fn pinned_zeros<T: Element>(&self, length: usize) -> Result<PinnedBuffer<T>> {
        PinnedBuffer::zeros(&self.backend, length)
    }

    /// Pinned memory of the host with these elements.
    pub fn pinned_from<T: Element>(&self, elements: &[T]) -> Result<PinnedBuffer<T>> {
        PinnedBuffer::of(&self.backend, elements)
    }

    /// Numbers that the host reads and writes while graphs of this device run, with these values at first.
    pub fn mailbox<T: MailboxElement>(&self, elements: &[T]) -> Result<Mailbox<T>> {
        Mailbox::of(&self.backend, elements)
    }

    pub(crate) fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// What launches in the place of its graphs, if anything does.
    pub(crate) fn launcher(&self) -> Option<&Arc<dyn Launcher>> {
        self.launcher.as_ref()
    }

    /// Memory for a graph of its own.
    pub(crate) fn allocate(&self, bytes: usize, memory: Memory) -> Result<Arc<Allocation>> {
        let raw = self.backend.allocate(bytes, memory).map_err(|error| full(&*self.backend, error))?;
        Ok(Allocation::new(Arc::clone(&self.backend), raw, bytes, memory))
    }

    pub(crate) fn of(backend: &Arc<dyn Backend>) -> Self {
        Self { backend: Arc::clone(backend), planning: Planning::default(), launcher: None }
    }

    fn of_cpu(options: CpuOptions) -> Self {
        Self { backend: Arc::new(CpuBackend::new(options)), planning: Planning::default(), launcher: None }
    }

    fn with_options(self, change: impl FnOnce(&mut CpuOptions)) -> Self {
        let Some(cpu) = self.backend.as_any().downcast_ref::<CpuBackend>() else { return self };
        let mut options = cpu.options().clone();
        change(&mut options);
        Self { planning: self.planning, launcher: self.launcher, ..Self::of_cpu(options) }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => write!(f, "the CPU"),
            Self::Dry => write!(f, "the dry device"),
            Self::Cuda(ordinal) => write!(f, "CUDA device {ordinal}"),
        }
    }
}

/// Whether `Device::cuda(0)` can be used. The reason why not is that call's error.
pub fn cuda_available() -> bool {
    Device::cuda(0).is_ok()
}
