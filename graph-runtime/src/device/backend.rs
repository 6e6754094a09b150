//! What a kind of device must do. One implementation per folder: `cpu`, `cuda`.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use graph_ir::model::{Access, BufferId, Memory, NodeId};

use super::Held;
use crate::Result;
use crate::buffer::{Allocation, Keeper};
use crate::call::{CallBuffer, RawEvent};
use crate::debug::Watcher;
use crate::graph::BuildTimings;
use crate::plan::{ByLaunches, Difference, LoopState, Place, Plan, SharedPlan};

/// Which device a buffer or a graph belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// The host's processor.
    Cpu,
    /// The host's processor, running everything but the kernels.
    Dry,
    /// A CUDA device, by ordinal.
    Cuda(usize),
}

/// A kind of device.
///
/// All addresses are those of memory that the same backend allocated. Reads and writes are complete when they return; the caller has
/// waited for every use of the memory before. So mailboxes, for whose uses nobody waits, are read and written otherwise, element by element.
pub(crate) trait Backend: Send + Sync + Debug {
    /// Which device this is.
    fn kind(&self) -> DeviceKind;

    /// For people: `NVIDIA H200`, `CPU (16 threads)`.
    fn name(&self) -> String;

    /// What decides how fast graphs are: the kind of device and its driver. `None` where the shape of a graph does not matter.
    fn machine(&self) -> Option<String> {
        None
    }

    /// `bytes` of memory, uninitialised as far as the caller may tell. Zero bytes are allowed.
    fn allocate(&self, bytes: usize, memory: Memory) -> Result<Box<dyn RawMemory>>;

    /// Device memory that somebody else allocated, given back by dropping its keeper.
    ///
    /// # Safety
    /// The `bytes` bytes from `address` on are there as long as the keeper is.
    unsafe fn adopt(&self, address: u64, bytes: usize, keeper: Keeper) -> Result<Box<dyn RawMemory>>;

    /// Copies from the host to `address`.
    fn write(&self, address: u64, memory: Memory, bytes: &[u8]) -> Result<()>;

    /// Copies from `address` to the host.
    fn read(&self, address: u64, memory: Memory, bytes: &mut [u8]) -> Result<()>;

    /// Sets bytes.
    fn set(&self, address: u64, memory: Memory, byte: u8, bytes: usize) -> Result<()>;

    /// Makes a plan ready to launch. Launches nothing.
    fn build(&self, plan: SharedPlan, bindings: Bindings) -> Result<Box<dyn Executable>>;

    /// Why a plan that is built now would be run by launches, one by one.
    fn by_launches(&self, _plan: &Plan) -> Option<ByLaunches> {
        None
    }

    /// The same device for plans that its driver can take as one graph; `None` if there are no others.
    fn graphs_only(&self) -> Option<Arc<dyn Backend>> {
        None
    }

    /// How many bytes of device memory are free, and how many there are, if that is known.
    fn free_and_total(&self) -> Option<[u64; 2]> {
        None
    }

    /// Counts what is held.
    fn held(&self) -> &Held;

    /// An event that was never recorded.
    fn event(&self) -> Result<Arc<dyn RawEvent>>;

    /// For conversions that only this backend knows.
    fn as_any(&self) -> &dyn Any;
}

/// Memory as a backend gave it out.
pub(crate) trait RawMemory: Send + Sync + Debug {
    /// First byte; not null unless empty.
    fn address(&self) -> u64;

    /// Gives the memory back once the uses are over, without waiting for them: in stream order, or by keeping it until then.
    fn release(self: Box<Self>, pending: Vec<Use>);

    /// Keeps the bytes from being reused, for a backend whose launches run on the host.
    fn hold(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    /// For conversions that only this backend knows.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Everything that a graph has launched so far and will launch; lives as long as anyone must wait for it.
pub(crate) trait Fence: Send + Sync + Debug {
    /// How many launches were made.
    fn launched(&self) -> u64;

    /// Whether launch number `launch` (from 1; 0 is always over) has finished. Never blocks.
    fn finished(&self, launch: u64) -> bool;

    /// Whether nothing is left that another thread or the device must do first: waiting gives the result, or finds that there is none.
    fn settled(&self, launch: u64) -> bool {
        self.finished(launch)
    }

    /// Whether a launch that has finished found something wrong that nobody has been told yet.
    fn has_fault(&self) -> bool {
        false
    }

    /// Blocks until launch number `launch` has finished.
    fn wait(&self, launch: u64) -> Result<()>;

    /// Lets a backend recognise its own fences.
    fn as_any(&self) -> &dyn Any;
}

/// One graph's use of an allocation.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Of the graph that uses it.
    pub(crate) fence: Arc<dyn Fence>,
    /// The last launch that may use it; `None` while the graph still names it.
    pub(crate) until: Option<u64>,
    /// Whether the graph writes it.
    pub(crate) writes: bool,
}

impl Use {
    /// The launch after which the memory is no longer used by what has been launched so far.
    pub(crate) fn last_launch(&self) -> u64 {
        self.until.unwrap_or_else(|| self.fence.launched())
    }
}

/// How an executable has taken another plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// These nodes of the plan do something else, everything else stayed as it was.
    Patched(Vec<NodeId>),
    /// It was built anew.
    Rebuilt(Difference),
}

/// A plan, made ready for one device and one set of buffers.
pub(crate) trait Executable: Send {
    /// Launches the whole graph once; returns without waiting where the device can.
    fn launch(&mut self) -> Result<()>;

    /// Runs node by node in plan order, conditions decided on the host, waiting behind each, and tells who watches. Names the node that
    /// fails.
    fn run_eager(&mut self, watcher: Option<Watcher>) -> Result<()>;

    /// Makes later launches wait for these uses of other graphs.
    fn order_after(&mut self, uses: &[Use]) -> Result<()>;

    /// Takes a plan of the same program with other values or other buffers, before the next launch: patched node by node where the
    /// structure is the same, built anew otherwise. On an error the old plan stays.
    fn update(&mut self, plan: SharedPlan, bindings: Bindings) -> Result<Taken>;

    /// The same for a plan that shares everything with the old one but what these nodes are passed.
    fn patch(&mut self, plan: SharedPlan, nodes: &[NodeId]) -> Result<Taken>;

    /// From here on launches leave these nodes out, and no others.
    fn set_disabled(&mut self, nodes: BTreeSet<NodeId>);

    /// This graph's launches.
    fn fence(&self) -> Arc<dyn Fence>;

    /// Why what was built is no graph of the device's, but launches one by one.
    fn by_launches(&self) -> Option<ByLaunches> {
        None
    }

    /// Whether launches run node by node, so that what could stay in registers needs memory.
    fn one_by_one(&self) -> bool {
        self.by_launches().is_some()
    }

    /// Where the time of the last build went, on the device's side.
    fn timings(&self) -> BuildTimings {
        BuildTimings::default()
    }

    /// A loop's counters after the last launch, for which the caller has waited.
    fn loop_state(&self, node: NodeId) -> Result<LoopState>;
}

/// Where a parameter's memory is.
#[derive(Clone, Debug)]
pub(crate) struct BoundMemory {
    /// Kept alive by whoever holds this.
    pub(crate) allocation: Arc<Allocation>,
    /// Of the first element, in bytes from the allocation's start.
    pub(crate) offset: u64,
}

/// Where everything that a plan names is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// By buffer id; `None` for transients.
    pub(crate) parameters: Vec<Option<BoundMemory>>,
    /// [`crate::plan::Arena::device_bytes`] bytes.
    pub(crate) device_arena: Option<Arc<Allocation>>,
    /// [`crate::plan::Arena::host_bytes`] bytes.
    pub(crate) host_arena: Option<Arc<Allocation>>,
    /// [`crate::plan::Arena::spare_bytes`] bytes of device memory, if nodes run one by one.
    pub(crate) spare: Option<Arc<Allocation>>,
    /// [`crate::plan::Arena::counter_bytes`] bytes of device memory.
    pub(crate) counters: Option<Arc<Allocation>>,
}

impl Bindings {
    /// The address of a buffer's first element.
    pub(crate) fn buffer(&self, plan: &Plan, buffer: BufferId) -> u64 {
        let index = buffer.0 as usize;
        if let Some(Some(bound)) = self.parameters.get(index) {
            return bound.allocation.address() + bound.offset;
        }
        let arena = match plan.arena.place(&plan.program, buffer) {
            Place::Device => &self.device_arena,
            Place::Host => &self.host_arena,
            Place::Spare => &self.spare,
        };
        let base = arena.as_ref().map_or(0, |allocation| allocation.address());
        base + plan.arena.offsets[index].unwrap_or(0)
    }

    /// The address of an access's first element.
    pub(crate) fn access(&self, plan: &Plan, access: &Access) -> u64 {
        let start = plan.strided(access).first;
        self.buffer(plan, access.buffer) + start * plan.element(access.buffer).size as u64
    }

    /// Where an access is, and how many elements it has. Where there is no element there may be no memory: any aligned address will do.
    pub(crate) fn call_buffer(&self, plan: &Plan, access: &Access) -> CallBuffer {
        let elements = plan.strided(access).elements() as usize;
        let nothing = elements == 0 || plan.element(access.buffer).size == 0;
        CallBuffer { address: if nothing { 256 } else { self.access(plan, access) }, elements }
    }

    /// The address of a loop's [`LoopState`].
    pub(crate) fn loop_state(&self, plan: &Plan, node: NodeId) -> Option<u64> {
        let offset = plan.arena.loops.get(node.0 as usize).copied().flatten()?;
        Some(self.counters.as_ref()?.address() + offset)
    }
}
