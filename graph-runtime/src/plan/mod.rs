//! The plan of a concrete graph: what an executor (CPU, CUDA, eager) needs and nothing else.
//!
//! Executors look at [`Plan::program`] for structure and accesses, at [`Plan::regions`] for order, at [`Plan::arena`] for where
//! transients lie, and at [`Plan::steps`] for what a node does. The plan names buffers by [`BufferId`]; where a parameter's memory is
//! comes beside it, so a rebind does not touch the plan.

mod amounts;
mod arena;
mod bounded;
mod build;
mod by_launches;
mod calls;
mod declared;
mod describe;
mod difference;
mod estimate;
mod explain;
mod fit;
mod footprints;
mod fused;
mod indices;
mod key;
mod lengths;
mod literal;
mod merged;
mod patch;
mod patching;
mod placed;
mod planned;
mod planning;
mod resident;
mod shaped;
mod statics;
mod step_list;
mod steps;
mod unread;
mod view;

pub(crate) use arena::Place;
pub(crate) use build::Tables;
pub(crate) use by_launches::ByLaunches;
pub(crate) use declared::Passed;
pub(crate) use difference::{Difference, structural, touched};
pub(crate) use estimate::Times;
pub use explain::Explanation;
#[cfg(feature = "cuda")]
pub(crate) use fused::Shared;
pub(crate) use fused::{Part, Parts};
pub(crate) use key::structure;
pub(crate) use patching::{Patched, Patching};
pub(crate) use placed::{By, Tuned};
pub use planned::PlannedNode;
pub(crate) use planning::How;
pub use planning::{Pass, Planning};
#[cfg(feature = "cuda")]
pub(crate) use resident::Resident;
pub(crate) use statics::StaticBuffer;
pub(crate) use step_list::StepList;
pub(crate) use view::Measured;
pub use view::{PlanEdge, PlanNode, PlanView};

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::analysis::dependence::Edge;
use graph_ir::concrete::{FrameId, Instance};
use graph_ir::model::{Access, BufferId, NodeId, Program, RegionId, ScalarType, Strided, SymbolId, View};
use graph_ir::optimize::{Fusion, Gate, Lanes, Overlap};

use crate::call::{Event, NodeCall};
use crate::compute::ComputeFunction;
use crate::element::ElementLayout;
use crate::kernel::KernelDeclaration;
use crate::program::{Bytes, ScalarFunction, TypedValue};

/// Everything an executor needs. What a change of arguments leaves as it is, the plan before and the plan after share.
pub(crate) struct Plan {
    /// Concrete: every extent is known, kernels' footprints are those that their declarations give.
    pub(crate) program: Arc<Program>,
    /// What the nodes were made of.
    pub(crate) origins: Arc<Origins>,
    /// By buffer id: the number of what is bound, for parameters.
    pub(crate) bound: Arc<[Option<u32>]>,
    /// Element layouts, by buffer.
    pub(crate) elements: Arc<[ElementLayout]>,
    /// By region id; `None` for regions that are not part of the graph.
    pub(crate) regions: Arc<[Option<RegionPlan>]>,
    /// What the nodes of the graph do.
    pub(crate) steps: StepList,
    /// Where transients and the loops' counters lie.
    pub(crate) arena: Arc<Arena>,
    /// Buffers that keep their contents, in the program's order.
    pub(crate) statics: Arc<[StaticBuffer]>,
    /// Fills and copies that are left out since nobody reads what they write, in order.
    pub(crate) unread: Arc<[NodeId]>,
    /// Fills and copies that another one does, each with that one, in order.
    pub(crate) merged: Arc<[(NodeId, NodeId)]>,
    /// Which passes have run.
    pub(crate) planning: Planning,
    /// What has decided how many lanes there are.
    pub(crate) by: By,
}

/// What the nodes of a concrete program were made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    pub(crate) instances: Vec<Instance>,
    /// By node id: the index of its instance, and the node as written.
    pub(crate) nodes: Vec<(u32, NodeId)>,
}

impl Origins {
    /// The frame of a node's values, and the node as written.
    pub(crate) fn of(&self, node: NodeId) -> (FrameId, NodeId) {
        let (instance, written) = self.nodes[node.0 as usize];
        (self.instances[instance as usize].frame, written)
    }

    /// The node that a written node is in these passes, in the graph that was entered so.
    pub(crate) fn instance(&self, calls: &[(NodeId, Vec<u32>)], written: NodeId, passes: &[u32]) -> Option<NodeId> {
        let same = |(instance, node): &(u32, NodeId)| {
            let instance = &self.instances[*instance as usize];
            *node == written && instance.passes == passes && instance.calls == calls
        };
        self.nodes.iter().position(same).map(|node| NodeId(node as u32))
    }
}

impl Origins {
    /// The passes in which a written node has become part of the graph.
    pub(crate) fn passes(&self, written: NodeId) -> Vec<&[u32]> {
        let found = self.nodes.iter().filter(|(_, node)| *node == written);
        let passes = found.map(|(instance, _)| self.instances[*instance as usize].passes.as_slice());
        passes.filter(|passes| !passes.is_empty()).collect()
    }
}

/// One region's order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RegionPlan {
    /// A topological order: in text order among those that are ready.
    pub(crate) order: Vec<NodeId>,
    /// Those of the block and those of the lanes, after transitive reduction, sorted by (to, from).
    pub(crate) edges: Vec<Edge>,
    /// How many edges that reduction took away: they follow from others.
    pub(crate) implied: usize,
    /// Assignments that a CUDA graph makes in one launch. The CPU makes them one by one.
    pub(crate) fusion: Fusion,
    /// Who runs on which lane, if it is dealt onto lanes: else the driver chooses.
    pub(crate) lanes: Option<Lanes>,
    /// What takes the place of edges in a CUDA graph.
    pub(crate) gates: Vec<Gate>,
    /// Which edges of a CUDA graph are programmatic.
    pub(crate) overlap: Overlap,
}

/// The memory of a graph's own. Transients of one memory kind lie side by side, or where another lies that is needed earlier or later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arena {
    /// Bytes of device memory for transients.
    pub(crate) device_bytes: u64,
    /// Bytes of pinned host memory.
    pub(crate) host_bytes: u64,
    /// By buffer id: the offset of a transient in the memory of its [`Place`], a multiple of 256; `None` for parameters.
    pub(crate) offsets: Vec<Option<u64>>,
    /// Transients that stay in registers where launches are shared.
    pub(crate) spare: BTreeSet<BufferId>,
    /// Bytes of device memory for these, where nodes run one by one.
    pub(crate) spare_bytes: u64,
    /// Bytes of all, if each transient had memory of its own.
    pub(crate) apart: u64,
    /// Bytes of device and host memory that are needed at once, at least.
    pub(crate) bound: u64,
    /// Bytes of device memory for the loops' counters, apart from transients: they are read after the launch.
    pub(crate) counter_bytes: u64,
    /// By node id: the offset of a loop's [`LoopState`] among the counters, a multiple of 16.
    pub(crate) loops: Vec<Option<u64>>,
}

/// A loop's counters in device memory, written by its tests: two little-endian `u64`.
///
/// Valid after a launch; a loop that was not reached has zero passes and [`LoopState::NOT_RUN`]. Executors zero them at each launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct LoopState {
    /// Passes of the user's body that the last run made.
    pub(crate) passes: u64,
    /// How the last run ended.
    pub(crate) exit: u64,
}

impl LoopState {
    /// The loop was not reached.
    pub(crate) const NOT_RUN: u64 = 0;
    /// Its condition ended it.
    pub(crate) const CONDITION: u64 = 1;
    /// `limit` ended it while the condition still held.
    pub(crate) const LIMIT: u64 = 2;
}

/// What a node does, with every host value in place. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Step {
    /// A kernel launch.
    Kernel(Arc<KernelStep>),
    /// From access 0 to access 1; both have the same number of bytes.
    Copy,
    /// Access 0, every element set to these bytes.
    Fill {
        /// One element.
        pattern: Arc<[u8]>,
    },
    /// Access 0, one element.
    Scalar(DeviceExpression),
    /// A kernel in the block.
    Compute(Arc<ComputeStep>),
    /// Reported unless it is non-zero.
    Assert {
        /// The condition.
        test: DeviceExpression,
        /// What is reported.
        message: Arc<str>,
    },
    /// Non-zero: then.
    If(DeviceExpression),
    /// The arm whose pattern holds the value; arms and default are in the node.
    Match(DeviceExpression),
    /// The test, if there is one, is in the node; `limit` is known there too.
    Loop(Option<DeviceExpression>),
    /// A closure on the host.
    Host(NodeCall),
    /// What a closure puts into a stream.
    Capture(NodeCall),
    /// Records an event.
    Record(Event),
    /// Waits for an event.
    Wait(Event),
}

/// Host values by symbol.
pub(crate) type HostValues = Arc<[(SymbolId, TypedValue)]>;

/// A device expression in its two forms.
#[derive(Clone)]
pub(crate) struct DeviceExpression {
    /// Its type: `Bool` for tests.
    pub(crate) scalar: ScalarType,
    /// As Rust, for the CPU.
    pub(crate) function: ScalarFunction,
    /// The host values that the data form ([`graph_ir::model::Expression`] in the node) names, by symbol.
    pub(crate) values: HostValues,
}

/// A kernel in the block, in its two forms.
#[derive(Clone)]
pub(crate) struct ComputeStep {
    /// The axes with numbers and, for the CPU, the body as Rust.
    pub(crate) function: ComputeFunction,
    /// The node's accesses before its indices were looked at, if integers of the host's are in them.
    pub(crate) given: Option<Arc<[Access]>>,
    /// The host values that the data form ([`graph_ir::model::Compute`] in the node) names, by symbol.
    pub(crate) values: HostValues,
}

/// A kernel launch with numbers.
#[derive(Clone, Debug)]
pub(crate) struct KernelStep {
    /// What is launched.
    pub(crate) declaration: &'static KernelDeclaration,
    /// Blocks.
    pub(crate) grid: [u32; 3],
    /// Threads per block.
    pub(crate) block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub(crate) shared: u32,
    /// In the kernel's order.
    pub(crate) arguments: Vec<StepArgument>,
    /// What the declaration's requirements are told of, if it has any.
    pub(crate) passed: Option<Arc<Passed>>,
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepArgument {
    /// The address of the first element of the node's access with this index.
    Buffer(u32),
    /// A table of these accesses of the node: addresses and numbers of elements.
    List {
        /// Index of the first.
        first: u32,
        /// How many.
        count: u32,
    },
    /// A value's bytes, of exactly the parameter's size.
    Value(Bytes),
    /// The condition of the loop whose body lists the node.
    Condition,
}

#[cfg(feature = "cuda")]
impl KernelStep {
    /// Whether it is passed the condition of the loop around it.
    pub(crate) fn decides(&self) -> bool {
        self.arguments.iter().any(|argument| matches!(argument, StepArgument::Condition))
    }
}

impl DeviceExpression {
    /// Bits of the expression's type as an integer: sign-extended if it is signed.
    pub(crate) fn widen(&self, bits: u64) -> i128 {
        match self.scalar {
            ScalarType::I8 => i128::from(bits as i8),
            ScalarType::I16 => i128::from(bits as i16),
            ScalarType::I32 => i128::from(bits as i32),
            ScalarType::I64 => i128::from(bits.cast_signed()),
            _ => i128::from(bits),
        }
    }
}

impl Plan {
    /// The plan of a region that is part of the graph.
    pub(crate) fn region(&self, region: RegionId) -> Option<&RegionPlan> {
        self.regions.get(region.0 as usize).and_then(Option::as_ref)
    }

    /// The conditional in whose bodies a node is.
    pub(crate) fn owner(&self, node: NodeId) -> Option<NodeId> {
        self.program.region(self.program.node(node).region).owner
    }

    /// The lane that a node runs on, if its region is dealt onto lanes.
    pub(crate) fn lane(&self, node: NodeId) -> Option<u32> {
        self.region(self.program.node(node).region)?.lanes.as_ref()?.lane(node)
    }

    /// What a node of the graph does.
    pub(crate) fn step(&self, node: NodeId) -> Option<&Step> {
        self.steps.get(node)
    }

    /// Where the elements of an access lie in its buffer.
    pub(crate) fn strided(&self, access: &Access) -> Strided {
        let shape = &self.program.buffer(access.buffer).shape;
        Strided::of(&access.footprint, shape).unwrap_or(Strided::line(0, 0))
    }

    /// Whether an access may be in rows that are apart, for some values.
    pub(crate) fn in_rows(&self, access: &Access) -> bool {
        access.ranged && self.program.buffer(access.buffer).shape.rank() > 1
    }

    /// Whether the numbers of a buffer's elements fit into 32 bits.
    pub(crate) fn is_narrow(&self, buffer: BufferId) -> bool {
        self.program.buffer(buffer).length().is_some_and(|length| u32::try_from(length).is_ok())
    }

    /// What a kernel in the block counts an access's elements from, and along which dimensions.
    pub(crate) fn counted(&self, access: &Access) -> View {
        access.counted(self.program.buffer(access.buffer).shape)
    }

    /// How many nodes are part of the graph.
    pub(crate) fn node_count(&self) -> usize {
        self.steps.count()
    }

    /// The element layout of a buffer.
    pub(crate) fn element(&self, buffer: BufferId) -> ElementLayout {
        self.elements[buffer.0 as usize]
    }
}

/// A plan that a graph and its executor share.
pub(crate) type SharedPlan = Arc<Plan>;
