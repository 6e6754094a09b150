//! Graphs with conditions for drivers that have no conditional nodes: run by single launches, or refused (CG0512).

use graph_ir::model::{NodeId, NodeKind};

use super::lowering::Lowering;
use super::writer::wholes;
use crate::cuda::driver::Version;
use crate::error::{Error, NodeName, Result};
use crate::plan::{ByLaunches, Plan, Step};

/// How a plan is run, unless it is one graph.
pub(in crate::cuda) fn by_launches(plan: &Plan, lowering: Lowering) -> Option<ByLaunches> {
    missing(plan, lowering).ok().flatten().map(|node| because(plan, node, lowering))
}

fn because(plan: &Plan, node: NodeId, lowering: Lowering) -> ByLaunches {
    let [needs, driver] = [Version::CONDITIONALS, lowering.version].map(|version| version.to_string());
    ByLaunches { node: NodeName::of(&plan.program, node), needs, driver }
}

/// The same for a plan that is built now. An error: it may not be run so, or cannot.
pub(super) fn decided_on_host(plan: &Plan, lowering: Lowering) -> Result<Option<ByLaunches>> {
    let Some(node) = missing(plan, lowering)? else { return Ok(None) };
    if let Some(node) = set_by_kernel(plan) {
        return Err(only_on_device(plan, node, lowering));
    }
    if lowering.by_launches { Ok(Some(because(plan, node, lowering))) } else { Err(required(plan, node, lowering)) }
}

/// The first node that needs a conditional where the driver has none: loops that one launch runs need none.
fn missing(plan: &Plan, lowering: Lowering) -> Result<Option<NodeId>> {
    let conditional = |node: &NodeId| matches!(plan.step(*node), Some(Step::If(_) | Step::Match(_) | Step::Loop(_)));
    if lowering.conditionals {
        return Ok(None);
    }
    let mut conditionals = plan.node_ids().filter(conditional).peekable();
    if conditionals.peek().is_none() {
        return Ok(None);
    }
    let wholes = wholes(plan, lowering)?;
    Ok(conditionals.find(|node| !wholes.contains(node)))
}

/// The first loop that is left to a kernel: what a kernel sets, only a graph can read.
fn set_by_kernel(plan: &Plan) -> Option<NodeId> {
    let by_kernel = |node: &NodeId| match &plan.program.node(*node).kind {
        NodeKind::Loop(head) => head.by_kernel,
        _ => false,
    };
    plan.node_ids().filter(|node| plan.step(*node).is_some()).find(by_kernel)
}

fn required(plan: &Plan, node: NodeId, lowering: Lowering) -> Error {
    let why = "note: it would be run by single launches instead, which `Device::require_graphs` forbids";
    let help = "update the NVIDIA driver to 550 or newer, or build on a device without `require_graphs`";
    refused(plan, node, "decides on the device", lowering, &format!("{why}\nhelp: {help}"))
}

fn only_on_device(plan: &Plan, node: NodeId, lowering: Lowering) -> Error {
    let why =
        "note: single launches cannot take its place: what a kernel sets through a `Condition`, only a graph reads";
    let help =
        "update the NVIDIA driver to 550 or newer, or let the kernel write a buffer and test that: `while go[0] > 0`";
    refused(plan, node, "is ended by a kernel", lowering, &format!("{why}\nhelp: {help}"))
}

fn refused(plan: &Plan, node: NodeId, what: &str, lowering: Lowering, rest: &str) -> Error {
    let (graph, name) = (&plan.program.name, NodeName::of(&plan.program, node));
    let (needs, driver) = (Version::CONDITIONALS, lowering.version);
    Error::Unavailable(format!(
        "graph `{graph}` cannot be one CUDA graph: {name} {what}, which needs CUDA {needs} [CG0512]\nnote: the driver supports CUDA \
         {driver}\n{rest}"
    ))
}
