//! Other values or buffers for a graph: patched node by node where its structure stays, built anew otherwise.
//!
//! All or nothing: every parameter is computed and checked before the first is changed; if the driver refuses one, the whole graph is
//! built anew; if that fails too, the old parameters go back.

use graph_ir::model::{NodeId, NodeKind};

use super::build::{Arguments, Built, Calls, CudaGraph, Slot, Sources, Work};
use super::driver::{Context, Doing, Failure, Node};
use crate::device::Bindings;
use crate::error::Result;
use crate::plan::{Plan, SharedPlan};

/// One changed node.
struct Patch {
    node: NodeId,
    slot: Slot,
    target: Node,
}

/// Takes another plan and other bindings. On an error the old ones stay.
pub(super) fn update(graph: &mut CudaGraph, plan: SharedPlan, bindings: Bindings) -> Result<()> {
    let context = graph.device.context();
    context.bind().doing(|| format!("updating graph `{}`", plan.program.name))?;
    if !patched(graph, &plan, &bindings, context)? {
        let built = graph.build_again(&plan, &bindings)?;
        graph.replace(Some(built));
    }
    graph.plan = plan;
    graph.bindings = bindings;
    graph.describe();
    Ok(())
}

/// Whether patching was enough.
fn patched(graph: &mut CudaGraph, plan: &Plan, bindings: &Bindings, context: Context) -> Result<bool> {
    let Some(built) = &mut graph.built else { return Ok(false) };
    // Counters of nested loops are cleared at their address by nodes that are not compared below.
    let moved = plan.arena.loops.iter().any(Option::is_some) && counters(&graph.bindings) != counters(bindings);
    if moved || !same_structure(&graph.plan, plan) {
        return Ok(false);
    }
    let old = Some(&built.calls);
    let calls = Calls::new(&graph.device, plan, bindings, graph.fence.failures(), old)?;
    let both = [&built.calls, &calls];
    let Some(patches) = compare(built, [&graph.plan, plan], [&graph.bindings, bindings], both)? else {
        return Ok(false);
    };
    let Err((failure, applied)) = apply(built, &patches, plan, bindings, &calls, context) else {
        let replaced = std::mem::replace(&mut built.calls, calls);
        graph.retire_calls(replaced);
        return Ok(true);
    };
    tracing::debug!(
        code = failure.code(),
        graph = plan.program.name,
        "a CUDA graph is built anew: a node could not be patched"
    );
    let old = &patches[..applied];
    let calls = std::mem::take(&mut built.calls);
    let restored = apply(built, old, &graph.plan, &graph.bindings, &calls, context);
    built.calls = calls;
    if restored.is_err() {
        // Built again from the old plan before the next launch, unless building the new one succeeds now.
        graph.replace(None);
    }
    Ok(false)
}

fn counters(bindings: &Bindings) -> Option<u64> {
    bindings.counters.as_ref().map(|allocation| allocation.address())
}

/// Whether the same nodes wait for the same nodes.
fn same_structure(old: &Plan, new: &Plan) -> bool {
    old.regions == new.regions
        && old.arena.loops == new.arena.loops
        && old.program.nodes.len() == new.program.nodes.len()
        && old.steps.iter().zip(&new.steps).all(|(old, new)| old.is_some() == new.is_some())
        && old.program.nodes.iter().zip(&new.program.nodes).all(|(old, new)| same_body(&old.kind, &new.kind))
}

/// Whether kernels in the block are the same: which of their indices are checked depends on numbers.
fn same_body(old: &NodeKind, new: &NodeKind) -> bool {
    match (old, new) {
        (NodeKind::Compute(old), NodeKind::Compute(new)) => old == new,
        _ => true,
    }
}

/// The nodes whose parameters differ; `None` if one differs in a way that cannot be patched.
fn compare(
    built: &Built,
    plans: [&Plan; 2],
    bindings: [&Bindings; 2],
    calls: [&Calls; 2],
) -> Result<Option<Vec<Patch>>> {
    let [old, new] = [0, 1].map(|side| sources(built, plans[side], bindings[side], calls[side]));
    let [mut was, mut is] = [Arguments::default(), Arguments::default()];
    let mut patches = Vec::new();
    for region in plans[1].regions.iter().flatten() {
        for node in region.order.iter().copied() {
            for slot in slots(plans[1], node) {
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
                    return Ok(None);
                }
                patches.push(Patch { node, slot: *slot, target });
            }
        }
    }
    Ok(Some(patches))
}

fn slots(plan: &Plan, node: NodeId) -> &'static [Slot] {
    match plan.program.node(node).kind {
        NodeKind::Loop(_) => &[Slot::Main, Slot::Again],
        _ => &[Slot::Main],
    }
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
    built: &mut Built,
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

fn sources<'a>(built: &'a Built, plan: &'a Plan, bindings: &'a Bindings, calls: &'a Calls) -> Sources<'a> {
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
        assert!(same_structure(&old, &plan()));
        let mut other = plan();
        other.regions[0].as_mut().unwrap().edges.pop();
        assert!(!same_structure(&old, &other), "an edge less");
        let mut other = plan();
        other.steps[5] = None;
        assert!(!same_structure(&old, &other), "a node less");
        let mut other = plan();
        other.arena.loops[2] = Some(96);
        assert!(!same_structure(&old, &other), "a counter elsewhere");
        let mut other = plan();
        other.elements[0] = ElementLayout::of::<u8>();
        assert!(same_structure(&old, &other), "other sizes are other values");
    }
}
