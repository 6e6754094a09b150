//! `while` and `loop`: a test before the WHILE node, and one at the end of every pass, or beside it where it only counts.

use graph_ir::model::{Argument, NodeId, NodeKind, RegionId};

use super::region::Builder;
use super::sources::{Decision, Slot, Sources};
use super::work::Work;
use crate::cuda::driver::{Conditional, GraphRef, Handle};
use crate::error::Result;
use crate::plan::{LoopState, Part, Plan};

impl Builder<'_> {
    /// A loop: its counters start at zero where its first test runs.
    pub(super) fn repeat(&mut self, graph: GraphRef, node: NodeId, body: RegionId) -> Result<()> {
        if self.sources.generated.whole(node).is_some() {
            return self.whole(graph, node);
        }
        let handle = self.handle(graph, node)?;
        let enter = self.test(graph, node, &[handle])?;
        let (added, bodies) = self.conditional_node(graph, node, enter, handle, Conditional::While, 1)?;
        for pass in bodies {
            // What is added first begins first. Added last it is what the pass ends with: 0.3 µs more on an H200.
            let beside = self.is_counted_beside(node, body);
            if beside {
                self.after.clear();
                self.again(pass, node, handle)?;
            }
            self.region(pass, body)?;
            if !beside {
                self.wait_for_all(body);
                self.precede(pass, node, body)?;
                self.overlap_last(body);
                self.again(pass, node, handle)?;
            }
        }
        self.placed.set_exit(node, added);
        Ok(())
    }

    /// What a pass ends with, behind [`Builder::after`].
    fn again(&mut self, pass: GraphRef, node: NodeId, handle: Handle) -> Result<()> {
        let again = self.launch(pass, node, Slot::Again, &[handle])?;
        self.placed.set_test(node, Slot::Again, again);
        Ok(())
    }

    /// The test at the end of a body begins early if all that it waits for are launches that let it.
    fn overlap_last(&mut self, body: RegionId) {
        let plan = self.sources.plan;
        let begins = plan.region(body).is_some_and(|region| region.overlap.last());
        let mut last = self.order.last(plan, body);
        if begins && last.all(|node| self.placed.is_launch(node)) {
            drop(last);
            self.overlap_all();
        }
    }

    /// A launch of nothing in front of the last test of a body that has no other work. Where graphs with such loops run at once, the
    /// driver loses the context (719 `LAUNCH_FAILED`): seen with 580.159 and a dozen lines of C++, from four graphs on, for any body
    /// whose only kernel sets the condition. Empty nodes, and kernels beside it, do not help; one in front of it does.
    fn precede(&mut self, pass: GraphRef, node: NodeId, body: RegionId) -> Result<()> {
        if self.has_work(body)? {
            return Ok(());
        }
        let nothing = self.zero(pass, node, 0, 0)?;
        self.placed.belongs(nothing, node);
        self.after.push(nothing);
        Ok(())
    }

    /// Whether a pass may be counted while it runs, so that it takes no longer for that: nothing is decided there, and the kernel that decides
    /// has a launch of the body in front of it, which the count is behind it otherwise (see [`Builder::precede`]).
    fn is_counted_beside(&self, node: NodeId, body: RegionId) -> bool {
        let (plan, program) = (self.sources.plan, &self.sources.plan.program);
        let decides = |node: &NodeId| match &program.node(*node).kind {
            NodeKind::Kernel(launch) => launch.arguments.contains(&Argument::Condition),
            _ => false,
        };
        let is_launch = |node: NodeId| {
            let kind = &program.node(node).kind;
            matches!(kind, NodeKind::Kernel(_) | NodeKind::Compute(_) | NodeKind::Fill { .. } | NodeKind::Scalar { .. })
        };
        let nodes = plan.region(body).map_or(&[][..], |region| &region.order);
        let last = nodes.iter().find(|node| decides(node)).filter(|_| self.sources.only_counts(node));
        last.is_some_and(|last| self.order.before(plan, body, *last).any(is_launch))
    }

    /// Whether any node that stands in a body launches or copies something; where its decision goes is of no interest here.
    fn has_work(&mut self, body: RegionId) -> Result<bool> {
        let nodes = self.sources.plan.region(body).map_or(&[][..], |region| &region.order);
        for node in nodes.iter().filter(|node| self.order.part(**node) != Part::Tail) {
            self.arguments.clear();
            let work = self.sources.work(*node, Slot::Main, Decision::Memory(0), &mut self.arguments)?;
            if work != Work::Empty {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sets the counters of loops within bodies to zero: they may not be reached. One launch for counters that lie side by side, at the
    /// graph's start, which only the outermost conditionals around such loops wait for. Loops that every launch reaches need none.
    pub(super) fn zero_nested(&mut self, graph: GraphRef) -> Result<()> {
        if self.sources.plan.arena.loops.iter().all(Option::is_none) {
            return Ok(());
        }
        let nested = nested_loops(&self.sources);
        let mut rest = nested.as_slice();
        while let Some(first) = rest.first() {
            let apart = |pair: &[Nested]| pair[1].state != pair[0].state + STATE;
            let length = rest.windows(2).position(apart).map_or(rest.len(), |index| index + 1);
            self.after.clear();
            let zero = self.zero(graph, first.node, first.state, length as u64 * STATE)?;
            self.placed.belongs(zero, first.node);
            for one in &rest[..length] {
                self.zeroed.entry(one.outermost).or_default().push(zero);
            }
            rest = &rest[length..];
        }
        self.zeroed.values_mut().for_each(Vec::dedup);
        Ok(())
    }
}

const STATE: u64 = size_of::<LoopState>() as u64;

/// A loop within a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Nested {
    /// Address of its counters.
    state: u64,
    node: NodeId,
    /// The node of the graph's own region that it lies in.
    outermost: NodeId,
}

/// By address.
fn nested_loops(sources: &Sources<'_>) -> Vec<Nested> {
    let plan = sources.plan;
    let mut nested = Vec::new();
    let mut inside: Vec<NodeId> = Vec::new();
    for outermost in plan.region(RegionId::GRAPH).map_or(&[][..], |region| &region.order) {
        inside.extend(nodes_within(plan, *outermost));
        while let Some(node) = inside.pop() {
            if let (NodeKind::Loop(_), Some(state)) =
                (&plan.program.node(node).kind, sources.bindings.loop_state(plan, node))
            {
                nested.push(Nested { state, node, outermost: *outermost });
            }
            inside.extend(nodes_within(plan, node));
        }
    }
    nested.sort_unstable();
    nested
}

fn nodes_within(plan: &Plan, node: NodeId) -> Vec<NodeId> {
    let bodies = plan.program.node(node).kind.bodies();
    bodies.into_iter().filter_map(|body| plan.region(body)).flat_map(|region| region.order.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::calls::Calls;
    use super::super::generated::Generated;
    use super::super::kernels::Kernels;
    use super::super::samples::{bindings, plan};
    use super::*;

    #[test]
    fn only_loops_within_bodies_are_cleared_before_what_they_lie_in() {
        let (plan, bindings) = (plan(), bindings());
        let (kernels, generated) = (Kernels::default(), Generated::default());
        let (plan, bindings, kernels, generated) = (&plan, &bindings, &kernels, &generated);
        let sources = Sources { plan, bindings, kernels, generated, calls: &Calls::default() };
        let arena = bindings.counters.as_ref().unwrap().address();
        let at = |offset, node| Nested { state: arena + offset, node: NodeId(node), outermost: NodeId(1) };
        assert_eq!(nested_loops(&sources), [at(32, 2), at(48, 4)]);
    }
}
