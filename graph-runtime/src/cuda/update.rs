//! Other values or buffers for a graph: patched node by node where its structure stays, built anew otherwise.
//!
//! All or nothing: every parameter is computed and checked before the first is changed; if the driver refuses one, the whole graph is
//! built anew; if that fails too, the old parameters go back.

use std::ops::Range;
use std::sync::Arc;

use graph_ir::model::NodeId;

use super::build::{Arguments, Calls, CudaGraph, Form, Instance, Reused, Slot, Sources, Work};
use super::driver::{Context, Doing, Failure, Node};
use crate::device::{Bindings, Taken};
use crate::error::Result;
use crate::plan::{Difference, Plan, SharedPlan, Step, structural, touched};

/// What a graph runs: a plan, where its buffers are, and its closures.
#[derive(Clone, Copy)]
struct Side<'s> {
    plan: &'s Plan,
    bindings: &'s Bindings,
    calls: &'s Calls,
}

/// One changed node.
struct Patch {
    node: NodeId,
    slot: Slot,
    target: Node,
    work: Work,
    /// Among all patches'.
    arguments: Range<u32>,
}

/// The changed nodes, with all that the driver is given.
#[derive(Default)]
struct Patches {
    all: Vec<Patch>,
    arguments: Arguments,
}

/// Takes another plan and other bindings. On an error the old ones stay.
pub(super) fn update(graph: &mut CudaGraph, plan: SharedPlan, bindings: Bindings) -> Result<Taken> {
    let old = std::mem::take(&mut graph.bindings);
    let taken = take(graph, plan, [&old, &bindings], None);
    graph.bindings = if taken.is_ok() { bindings } else { old };
    taken
}

/// Takes a plan that differs from the old one in what these nodes are passed. On an error the old one stays.
pub(super) fn patch(graph: &mut CudaGraph, plan: SharedPlan, nodes: &[NodeId]) -> Result<Taken> {
    let bindings = std::mem::take(&mut graph.bindings);
    let taken = take(graph, plan, [&bindings, &bindings], Some(nodes));
    graph.bindings = bindings;
    taken
}

/// The graph's own bindings are where `bindings` says, before and from here on. `only`: the nodes that differ, if that is known.
fn take(graph: &mut CudaGraph, plan: SharedPlan, bindings: [&Bindings; 2], only: Option<&[NodeId]>) -> Result<Taken> {
    let context = graph.device.context();
    context.bind().doing(|| format!("updating graph `{}`", plan.program.name))?;
    let taken = match patched(graph, &plan, bindings, only, context)? {
        Ok(nodes) => Taken::Patched(nodes),
        Err(difference) => {
            let built = graph.build_again(&plan, bindings[1])?;
            graph.replace(Some(built));
            Taken::Rebuilt(difference)
        }
    };
    graph.plan = plan;
    graph.describe();
    Ok(taken)
}

/// The nodes that were patched, or why that is not enough.
type Patched = std::result::Result<Vec<NodeId>, Difference>;

fn patched(
    graph: &mut CudaGraph,
    plan: &Plan,
    [was, is]: [&Bindings; 2],
    only: Option<&[NodeId]>,
    context: Context,
) -> Result<Patched> {
    let Some(built) = &graph.built else {
        return Ok(Err(Difference::of_device(plan, None, "an earlier change could neither be made nor be taken back")));
    };
    let launches = matches!(built.form, Form::Launches(_));
    // Counters of nested loops are cleared at their address by nodes that are not compared below.
    let moved = counters(was) != counters(is);
    if !launches && moved && plan.arena.loops.iter().any(Option::is_some) {
        return Ok(Err(Difference::of_device(plan, None, "the loops' counters lie elsewhere")));
    }
    if let Some(difference) = structural(&graph.plan, plan) {
        return Ok(Err(difference));
    }
    let old = Arc::clone(&built.calls);
    let calls = if only.is_some_and(|only| !only.iter().any(|node| is_call(plan, *node))) {
        Arc::clone(&old)
    } else {
        Arc::new(graph.calls(plan, is)?)
    };
    if launches {
        return launched_anew(graph, plan, [was, is], only, calls).map(Ok);
    }
    let Some(Form::Graph(instance)) = graph.built.as_mut().map(|built| &mut built.form) else {
        return Ok(Ok(Vec::new()));
    };
    let before = Side { plan: &graph.plan, bindings: was, calls: &old };
    let mut patches = match compare(instance, [before, Side { plan, bindings: is, calls: &calls }], only)? {
        Ok(patches) => patches,
        Err(difference) => return Ok(Err(difference)),
    };
    let Err((failure, applied)) = patches.apply(instance, context) else {
        graph.exchange_calls(calls);
        let mut nodes: Vec<NodeId> = patches.all.iter().map(|patch| patch.node).collect();
        nodes.dedup();
        return Ok(Ok(nodes));
    };
    let node = patches.all[applied].node;
    if restore(instance, &patches.all[..applied], before, context).is_err() {
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
    [was, is]: [&Bindings; 2],
    only: Option<&[NodeId]>,
    calls: Arc<Calls>,
) -> Result<Vec<NodeId>> {
    let Some(Form::Launches(launches)) = graph.built.as_mut().map(|built| &mut built.form) else {
        return Ok(Vec::new());
    };
    launches.take(plan, is, &calls, graph.device.modules())?;
    graph.exchange_calls(calls);
    Ok(match only {
        Some(only) => only.to_vec(),
        None => touched([&graph.plan, plan], [was, is]),
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
    sides: [Side<'_>; 2],
    only: Option<&[NodeId]>,
) -> Result<std::result::Result<Patches, Difference>> {
    let (plan, mut patches, mut old) = (sides[1].plan, Patches::default(), Arguments::default());
    let mut look = |node| patches.look(built, sides, node, &mut old);
    let different = if let Some(only) = only {
        built.generated.shown(only).into_iter().map(&mut look).find_map(Result::transpose)
    } else {
        let nodes = plan.regions.iter().flatten().flat_map(|region| &region.order);
        nodes.copied().map(&mut look).find_map(Result::transpose)
    };
    Ok(match different.transpose()? {
        Some(difference) => Err(difference),
        None => Ok(patches),
    })
}

impl Patches {
    /// Adds what a node launches or copies now, if it was something else; what cannot be patched comes back.
    fn look(
        &mut self,
        built: &Instance,
        sides: [Side<'_>; 2],
        node: NodeId,
        was: &mut Arguments,
    ) -> Result<Option<Difference>> {
        let [old, new] = sides.map(|side| side.sources(built));
        for slot in Slot::of(&new.plan.program.node(node).kind) {
            let Some(target) = built.placed.get(node, *slot) else { continue };
            let decision = built.placed.decision(new.decides(node));
            was.clear();
            let first = self.arguments.count();
            let before = old.work(node, *slot, decision, was)?;
            let work = new.work(node, *slot, decision, &mut self.arguments)?;
            if before == work && (!matches!(work, Work::Launch(_)) || self.arguments.ends_with(first, was)) {
                self.arguments.truncate(first);
                continue;
            }
            if !patchable(before, work) {
                return Ok(Some(unpatchable(new.plan, node, before, work)));
            }
            self.all.push(Patch { node, slot: *slot, target, work, arguments: first..self.arguments.count() });
        }
        Ok(None)
    }

    /// Sets the parameters of these nodes; on a failure says how many were set.
    fn apply(&mut self, built: &mut Instance, context: Context) -> Result<(), (Failure, usize)> {
        self.arguments.point();
        let mut params = Reused::new();
        for (index, patch) in self.all.iter().enumerate() {
            let arguments = self.arguments.pointers(patch.arguments.clone());
            let params = params.params(&patch.work, arguments, context);
            // SAFETY: the node is of the graph that lives beside its exec, and the arguments live until the next change.
            unsafe { built.exec.set_params(patch.target, params) }.map_err(|failure| (failure, index))?;
        }
        Ok(())
    }
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

/// Gives nodes the parameters back that they had.
fn restore(built: &mut Instance, patches: &[Patch], old: Side<'_>, context: Context) -> Result<(), Failure> {
    let mut arguments = Arguments::default();
    for patch in patches {
        let sources = old.sources(built);
        let decision = built.placed.decision(sources.decides(patch.node));
        arguments.clear();
        let work = sources.work(patch.node, patch.slot, decision, &mut arguments);
        // What was computed a moment ago can be computed again.
        let Ok(work) = work else { continue };
        let mut params = work.params(arguments.all_pointers(), context);
        // SAFETY: the node is of the graph that lives beside its exec, and the arguments live until the next change.
        unsafe { built.exec.set_params(patch.target, &mut params) }?;
    }
    Ok(())
}

impl<'s> Side<'s> {
    fn sources<'a>(self, built: &'a Instance) -> Sources<'a>
    where
        's: 'a,
    {
        let Self { plan, bindings, calls } = self;
        Sources { plan, bindings, kernels: &built.kernels, generated: &built.generated, calls }
    }
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
        let kept = |node: u32| old.step(NodeId(node)).filter(|_| node != 5).cloned();
        other.steps = (0..7).map(kept).collect::<Vec<_>>().into();
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
