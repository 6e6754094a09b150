//! What generated code names. Nothing here is stable.

pub use crate::arithmetic;
pub use crate::buffer::{
    Arguments, Bind, BindHostMut, BindHostRead, BindList, BindMut, BindRead, BindStruct, BindStructMut, Binding, Bound,
    Buffers, Collector, GhostReader, GiveBack, HostRead, HostWrite, InMailbox, Kind, Layout, Leaf, ListOf, Parts, Read,
    Shape, StructRead, StructWrite, Write,
};
pub use crate::call::{BoundObjects, Call, IntoOutcome, NodeCall, ObjectBinding, Objects, Outcome};
pub use crate::compute::{Axes, AxisRange, Bounds, Coordinate, Counter, ElementIndex, Elements, Number, Reducible};
pub use crate::cpu::{Reversal, SeenEdge, SeenUse};
#[cfg(feature = "cuda")]
pub use crate::cuda::{LoadedArgument, launch_loaded};
pub use crate::element::{DeviceValue, Element, ElementLayout, Scalar};
pub use crate::graph::{Graph, Label, Launchable, Launcher, Outline};
pub use crate::kernel::ghost::{
    Atomics, FirstLength, Ghost, GhostBuffer, GhostList, Launched, List, Member, Overwrites, OverwritesAll, Passes,
    Reads, ReadsAll, Updates, UpdatesAll, first_length, hole,
};
pub use crate::kernel::{
    AnyParam, Atomic, Condition, ConditionName, CpuArgument, CpuLaunch, FixedBlock, KernelDeclaration, KernelSymbol,
    LaunchFacts, ModuleCode, ModuleSource, Out, ParameterDeclaration, ParameterKind, Sizes, SourceLocation, Tile,
    TileMut, Unmet, Waits, agrees, buffer_layout, fixed_block, length, overlaps, template, value_layout, within,
};
pub use crate::plan::PlannedNode;
pub use crate::program::{
    Casts, EventObject, ExclusiveObject, Geometry, GraphEntry, GraphInside, IntoExtent, Passed, PassedOn, Program,
    ScalarFunction, SharedObject, Sink, Summary, TypedValue, has_bound,
};
pub use graph_ir::model::{Combine, Mode};
pub use graph_macros::Configured;
