//! Other values or buffers for a graph: patched node by node where its structure stays, built anew otherwise.
//!
//! All or nothing: every parameter is computed and checked before the first is changed; if the driver refuses one, the whole graph is
//! built anew; if that fails too, the old parameters go back.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::build::{Arguments, Calls, CudaGraph, Form, Instance, Slot, Sources, Work};
use super::driver::{Context, Doing, Failure, Node};
use crate::device::{Bindings, Taken};
use crate::error::Result;
use crate::plan::{Difference, Plan, SharedPlan, Step, structural, touched};

/// One changed node.
struct Patch {
    node: NodeId,
    slot: Slot,
    target: Node,
}

/// Takes another plan and other bindings. On an error the old ones stay.
pub(super) fn update(graph: &mut CudaGraph, plan: SharedPlan, bindings: Bindings) -> Result<Taken> {
    take(graph, plan, bindings, None)
}

/// Takes a plan that differs from the old one in what these nodes are passed. On an error the old one stays.
pub(super) fn patch(graph: &mut CudaGraph, plan: SharedPlan, nodes: &[NodeId]) -> Result<Taken> {
    let bindings = graph.bindings.clone();
    take(graph, plan, bindings, Some(&nodes.iter().copied().collect()))
}

/// `only`: the nodes that differ, if that is known.
fn take(graph: &mut CudaGraph, plan: SharedPlan, bindings: Bindings, only: Option<&BTreeSet<NodeId>>) -> Result<Taken> {
    let context = graph.device.context();
    context.bind().doing(|| format!("updating graph `{}`", plan.program.name))?;
    let taken = match patched(graph, &plan, &bindings, only, context)? {
        Ok(nodes) => Taken::Patched(nodes),
        Err(difference) => {
            let built = graph.build_again(&plan, &bindings)?;
            graph.replace(Some(built));
            Taken::Rebuilt(difference)
        }
    };
    graph.plan = plan;
    graph.bindings = bindings;
    graph.describe();
    Ok(taken)
}

/// The nodes that were patched, or why that is not enough.
type Patched = std::result::Result<Vec<NodeId>, Difference>;

fn patched(
    graph: &mut CudaGraph,
    plan: &Plan,
    bindings: &Bindings,
    only: Option<&BTreeSet<NodeId>>,
    context: Context,
) -> Result<Patched> {
    let Some(built) = &graph.built else {
        return Ok(Err(Difference::of_device(plan, None, "an earlier change could neither be made nor be taken back")));
    };
    let launches = matches!(built.form, Form::Launches(_));
    // Counters of nested loops are cleared at their address by nodes that are not compared below.
    let cleared = !launches && plan.arena.loops.iter().any(Option::is_some);
    if cleared && counters(&graph.bindings) != counters(bindings) {
        return Ok(Err(Difference::of_device(plan, None, "the loops' counters lie elsewhere")));
    }
    if let Some(difference) = structural(&graph.plan, plan) {
        return Ok(Err(difference));
    }
    let old = Arc::clone(&built.calls);
    let calls = if only.is_some_and(|only| !only.iter().any(|node| is_call(plan, *node))) {
        Arc::clone(&old)
    } else {
        Arc::new(graph.calls(plan, bindings)?)
    };
    if launches {
        return launched_anew(graph, plan, bindings, only, calls).map(Ok);
    }
    let Some(Form::Graph(instance)) = graph.built.as_mut().map(|built| &mut built.form) else {
        return Ok(Ok(Vec::new()));
    };
    let patches = match compare(instance, [&graph.plan, plan], [&graph.bindings, bindings], [&old, &calls], only)? {
        Ok(patches) => patches,
        Err(difference) => return Ok(Err(difference)),
    };
    let Err((failure, applied)) = apply(instance, &patches, plan, bindings, &calls, context) else {
        graph.exchange_calls(calls);
        let mut nodes: Vec<NodeId> = patches.iter().map(|patch| patch.node).collect();
        nodes.dedup();
        return Ok(Ok(nodes));
    };
    let node = patches[applied].node;
    let restored = apply(instance, &patches[..applied], &graph.plan, &graph.bindings, &old, context);
    if restored.is_err() {
        // Built again from the old plan before the next launch, unless building the new one succeeds now.
        graph.replace(None);
    }
    let label = &plan.program.node(node).label;
    let reason = format!("the driver does not change `{label}`: {}", failure.name());
    Ok(Err(Difference::of_device(plan, node, reason)))
}

/// Takes the plan where nodes are launched one by one: which of them do something else.
fn launched_anew(
    graph: &mut CudaGraph,
    plan: &Plan,
    bindings: &Bindings,
    only: Option<&BTreeSet<NodeId>>,
    calls: Arc<Calls>,
) -> Result<Vec<NodeId>> {
    let Some(Form::Launches(launches)) = graph.built.as_mut().map(|built| &mut built.form) else {
        return Ok(Vec::new());
    };
    launches.take(plan, bindings, &calls, graph.device.modules())?;
    graph.exchange_calls(calls);
    Ok(match only {
        Some(only) => only.iter().copied().collect(),
        None => touched([&graph.plan, plan], [&graph.bindings, bindings]),
    })
}

fn is_call(plan: &Plan, node: NodeId) -> bool {
    matches!(plan.step(node), Some(Step::Host(_) | Step::Capture(_)))
}

fn counters(bindings: &Bindings) -> Option<u64> {
    bindings.counters.as_ref().map(|allocation| allocation.address())
}

/// The nodes whose parameters differ, or the first that differs in a way that cannot be patched.
fn compare(
    built: &Instance,
    plans: [&Plan; 2],
    bindings: [&Bindings; 2],
    calls: [&Calls; 2],
    only: Option<&BTreeSet<NodeId>>,
) -> Result<std::result::Result<Vec<Patch>, Difference>> {
    let [old, new] = [0, 1].map(|side| sources(built, plans[side], bindings[side], calls[side]));
    let [mut was, mut is] = [Arguments::default(), Arguments::default()];
    let mut patches = Vec::new();
    for region in plans[1].regions.iter().flatten() {
        let reached = |node: &NodeId| only.is_none_or(|only| built.generated.shows(*node, only));
        for node in region.order.iter().copied().filter(reached) {
            for slot in Slot::of(&plans[1].program.node(node).kind) {
                let Some(target) = built.placed.get(node, *slot) else { continue };
                let decision = built.placed.decision(new.decides(node));
                was.clear();
                is.clear();
                let before = old.work(node, *slot, decision, &mut was)?;
                let after = new.work(node, *slot, decision, &mut is)?;
                if before == after && (was == is || !matches!(after, Work::Launch(_))) {
                    continue;
                }
                if !patchable(before, after) {
                    return Ok(Err(unpatchable(plans[1], node, before, after)));
                }
                patches.push(Patch { node, slot: *slot, target });
            }
        }
    }
    Ok(Ok(patches))
}

fn unpatchable(plan: &Plan, node: NodeId, before: Work, after: Work) -> Difference {
    let label = &plan.program.node(node).label;
    let reason = match (before, after) {
        (Work::Empty, _) => format!("`{label}` did nothing, and does something now"),
        (_, Work::Empty) => format!("`{label}` does nothing now"),
        (Work::Copy(_), Work::Copy(_)) => format!("`{label}` copies rows, or between other kinds of memory"),
        _ => format!("`{label}` is another kind of node"),
    };
    Difference::new(plan, node, reason)
}

/// Whether the driver can change one into the other: never the kind of node, nor where the ends of a copy are, nor a copy in rows.
fn patchable(before: Work, after: Work) -> bool {
    match (before, after) {
        (Work::Launch(_), Work::Launch(_))
        | (Work::Host(_), Work::Host(_))
        | (Work::Child(_), Work::Child(_))
        | (Work::Record(_), Work::Record(_))
        | (Work::Wait(_), Work::Wait(_)) => true,
        (Work::Copy(before), Work::Copy(after)) => {
            let lines = before.is_line() && after.is_line();
            lines && before.from.memory == after.from.memory && before.to.memory == after.to.memory
        }
        _ => false,
    }
}

/// Sets the parameters of these nodes; on a failure says how many were set.
fn apply(
    built: &mut Instance,
    patches: &[Patch],
    plan: &Plan,
    bindings: &Bindings,
    calls: &Calls,
    context: Context,
) -> Result<(), (Failure, usize)> {
    let mut arguments = Arguments::default();
    for (index, patch) in patches.iter().enumerate() {
        let sources = sources(built, plan, bindings, calls);
        let decision = built.placed.decision(sources.decides(patch.node));
        arguments.clear();
        let work = sources.work(patch.node, patch.slot, decision, &mut arguments);
        // What was computed a moment ago can be computed again.
        let Ok(work) = work else { continue };
        let mut params = work.params(arguments.all_pointers(), context);
        // SAFETY: the node is of the graph that lives beside its exec, and the arguments live until the next change.
        unsafe { built.exec.set_params(patch.target, &mut params) }.map_err(|failure| (failure, index))?;
    }
    Ok(())
}

fn sources<'a>(built: &'a Instance, plan: &'a Plan, bindings: &'a Bindings, calls: &'a Calls) -> Sources<'a> {
    Sources { plan, bindings, kernels: &built.kernels, generated: &built.generated, calls }
}

#[cfg(test)]
mod tests {
    use super::super::build::{Copy, plan};
    use super::super::driver::CopyEnd;
    use super::*;
    use crate::element::ElementLayout;
    use graph_ir::model::Memory;

    fn copy(from: Memory, to: Memory, bytes: u64) -> Work {
        let end = |memory| CopyEnd { address: 256, memory, pitch: 0, height: 0 };
        Work::Copy(Copy { from: end(from), to: end(to), sizes: [1, 1, bytes] })
    }

    #[test]
    fn a_copy_keeps_its_direction() {
        let down = copy(Memory::Device, Memory::Host, 8);
        assert!(patchable(down, copy(Memory::Device, Memory::Host, 16)));
        assert!(!patchable(down, copy(Memory::Host, Memory::Device, 8)));
        assert!(!patchable(down, copy(Memory::Device, Memory::Device, 8)));
    }

    #[test]
    fn a_copy_in_rows_is_built_anew() {
        let end = CopyEnd { address: 256, memory: Memory::Device, pitch: 64, height: 2 };
        let rows = |sizes| Work::Copy(Copy { from: end, to: end, sizes });
        assert!(patchable(rows([1, 1, 8]), rows([1, 1, 16])));
        assert!(!patchable(rows([1, 2, 8]), rows([1, 1, 8])) && !patchable(rows([1, 1, 8]), rows([2, 1, 8])));
    }

    #[test]
    fn nothing_becomes_something_only_by_building() {
        assert!(!patchable(Work::Empty, copy(Memory::Device, Memory::Host, 8)));
        assert!(!patchable(copy(Memory::Device, Memory::Host, 8), Work::Empty));
    }

    #[test]
    fn the_structure_is_edges_nodes_and_counters() {
        let old = plan();
        let difference = |other: &Plan| structural(&old, other).map(|found| (found.node, found.reason));
        let label = |node: NodeId| Arc::clone(&old.program.node(node).label);
        assert_eq!(difference(&plan()), None);
        let mut other = plan();
        Arc::make_mut(&mut other.regions)[0].as_mut().unwrap().edges.pop();
        let text = |node: NodeId| old.program.node(node).label.to_string();
        let reason = format!("`{}` does not wait for `{}`, which it did", text(NodeId(6)), text(NodeId(1)));
        assert_eq!(difference(&other), Some((Some(label(NodeId(6))), reason)));
        let mut other = plan();
        other.steps[5] = None;
        let (node, reason) = difference(&other).unwrap();
        assert_eq!((node, reason.as_str()), (Some(label(NodeId(5))), "the graph has 6 nodes, and had 7"));
        let mut other = plan();
        Arc::make_mut(&mut other.arena).loops[2] = Some(96);
        assert_eq!(difference(&other).unwrap().1, "the loops' counters lie elsewhere");
        let mut other = plan();
        Arc::make_mut(&mut other.elements)[0] = ElementLayout::of::<u8>();
        assert_eq!(difference(&other), None, "other sizes are other values");
    }
}
