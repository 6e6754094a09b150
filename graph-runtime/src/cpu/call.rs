//! Callbacks and captured calls on the CPU: closures over slices.

use graph_ir::model::NodeId;

use super::run::Run;
use crate::call::{Call, CallBuffer, NodeCall};
use crate::error::{Error, NodeName, Result};
use crate::plan::{Plan, Step};

/// Refuses a plan whose captures have no form for the CPU.
pub(super) fn supported(plan: &Plan) -> Result<()> {
    let nodes = (0..plan.program.nodes.len() as u32).map(NodeId);
    let lacks = |node: &NodeId| matches!(plan.step(*node), Some(Step::Capture(call)) if !call.has_cpu());
    let Some(node) = nodes.into_iter().find(lacks) else { return Ok(()) };
    let loaded = matches!(plan.step(node), Some(Step::Capture(call)) if call.is_loaded());
    let (why, help) = if loaded {
        ("is a function that was loaded for a GPU", "declare the kernel in a `#[cuda_module]` with a body for the CPU")
    } else {
        ("has no form for it", "write one behind the closure, `cpu = |…| { … }`")
    };
    Err(Error::Unavailable(format!(
        "graph `{}` cannot run on the CPU: {} {why} [CG0804]\nhelp: {help}, or build the graph on a CUDA device",
        plan.program.name,
        NodeName::of(&plan.program, node)
    )))
}

/// Calls a callback's closure.
pub(super) fn host(run: &Run<'_>, node: NodeId, step: &NodeCall) -> Result<()> {
    let buffers = buffers(run, node);
    // SAFETY: footprints lie in their buffers (rule CG0205), which the launch keeps, whose bytes are initialised and aligned to 256.
    // Within the call rule CG0202 excludes conflicting arguments; other nodes that conflict are ordered by the plan's edges; other
    // graphs and the host are ordered by the allocations' uses.
    let call = unsafe { Call::on_host(&buffers) };
    step.run(&call, || NodeName::of(&run.plan.program, node))
}

/// Calls a capture's form for the CPU.
pub(super) fn capture(run: &Run<'_>, node: NodeId, step: &NodeCall) -> Result<()> {
    let buffers = buffers(run, node);
    // SAFETY: as in `host`.
    let call = unsafe { Call::on_host(&buffers) };
    step.run_on_cpu(&call, || NodeName::of(&run.plan.program, node)).unwrap_or_else(|| supported(run.plan))
}

fn buffers(run: &Run<'_>, node: NodeId) -> Vec<CallBuffer> {
    run.plan.program.node(node).accesses.iter().map(|access| run.call_buffer(access)).collect()
}
