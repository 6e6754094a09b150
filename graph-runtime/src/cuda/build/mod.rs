//! Plans as CUDA graphs.
//!
//! Every node is added with `cuGraphAddNode_v2`, in the plan's order, behind exactly the nodes that the plan's edges name. Fills and
//! device scalars are launches of generated kernels. A conditional is a launch that sets its handle, then the conditional node; a loop
//! has a second such launch behind everything else in its body. A loop of nothing but generated kernels is one launch, if nothing runs
//! beside it.
//!
//! Where the driver lacks conditional nodes, a plan that needs them has no CUDA graph: its nodes are launched one by one.

mod arguments;
mod built;
mod calls;
mod conditional;
mod conditions;
mod cooperation;
mod gates;
mod generated;
mod graph;
mod kernels;
mod looping;
mod lowering;
mod order;
mod placed;
mod prepared;
mod region;
mod resident;
#[cfg(test)]
mod samples;
mod scratch;
mod shared;
mod sources;
mod switch;
mod tables;
mod work;
mod writer;

pub(super) use arguments::Arguments;
pub(super) use built::{Built, Form, Instance};
pub(super) use calls::{Calls, Failures};
pub(super) use conditions::by_launches;
pub(super) use generated::{Decisions, Generated};
pub(super) use graph::CudaGraph;
pub(super) use lowering::Lowering;
#[cfg(test)]
pub(super) use samples::plan;
pub(super) use sources::{Decision, Slot, Sources};
#[cfg(test)]
pub(super) use work::Copy;
pub(super) use work::{Reused, Spec, Work};
