//! `if` and `match`: a test that sets handles, then conditional nodes.

use graph_ir::model::{Arm, NodeId, RegionId};

use super::region::Builder;
use super::sources::Slot;
use crate::cuda::driver::{Conditional, Doing, GraphRef, Handle, Node, NodeParams};
use crate::error::{NodeName, Result};

impl Builder<'_> {
    /// `if`: one node with both bodies, or one for each behind one another where that form is broken (rule R168).
    pub(super) fn branch(
        &mut self,
        graph: GraphRef,
        node: NodeId,
        then: RegionId,
        otherwise: Option<RegionId>,
    ) -> Result<()> {
        let bodies: Vec<RegionId> = std::iter::once(then).chain(otherwise).collect();
        let one = bodies.len() == 1 || self.lowering.if_else;
        self.conditional(graph, node, &bodies, one, Conditional::If)
    }

    /// `match`: a SWITCH whose last body is `_`, or a row of IFs of which the test picks at most one.
    pub(super) fn choice(
        &mut self,
        graph: GraphRef,
        node: NodeId,
        arms: &[Arm],
        otherwise: Option<RegionId>,
    ) -> Result<()> {
        let bodies: Vec<RegionId> = arms.iter().map(|arm| arm.body).chain(otherwise).collect();
        self.conditional(graph, node, &bodies, self.lowering.switch, Conditional::Switch)
    }

    /// `one`: all bodies in one node of this kind; else a row of IFs.
    fn conditional(
        &mut self,
        graph: GraphRef,
        node: NodeId,
        bodies: &[RegionId],
        one: bool,
        kind: Conditional,
    ) -> Result<()> {
        if bodies.is_empty() {
            return self.plain(graph, node, &mut NodeParams::empty());
        }
        let handles =
            (0..if one { 1 } else { bodies.len() }).map(|_| self.handle(graph, node)).collect::<Result<Vec<_>>>()?;
        let mut last = self.test(graph, node, &handles)?;
        if one {
            last = self.add_conditional(graph, node, last, handles[0], kind, bodies)?;
        } else {
            for (handle, body) in handles.iter().zip(bodies) {
                last = self.add_conditional(graph, node, last, *handle, Conditional::If, &[*body])?;
            }
        }
        self.placed.set_exit(node, last);
        Ok(())
    }

    /// A handle of this graph, zero at every launch.
    pub(super) fn handle(&mut self, graph: GraphRef, node: NodeId) -> Result<Handle> {
        // SAFETY: the graph is under construction.
        let handle = unsafe { graph.handle(self.context) };
        handle.at(|| NodeName::of(&self.sources.plan.program, node), "making its condition's handle")
    }

    /// The test before a conditional. It runs whenever the conditional is reached: a handle's default holds at a launch's start only
    /// (rule R169).
    pub(super) fn test(&mut self, graph: GraphRef, node: NodeId, handles: &[Handle]) -> Result<Node> {
        self.placed.set_handles(node, handles);
        let test = self.launch(graph, node, Slot::Main, handles)?;
        self.placed.set_test(node, Slot::Main, test);
        Ok(test)
    }

    /// A conditional node behind `before`, and its bodies' nodes.
    fn add_conditional(
        &mut self,
        graph: GraphRef,
        node: NodeId,
        before: Node,
        handle: Handle,
        kind: Conditional,
        bodies: &[RegionId],
    ) -> Result<Node> {
        let (added, graphs) = self.conditional_node(graph, node, before, handle, kind, bodies.len())?;
        for (graph, body) in graphs.into_iter().zip(bodies) {
            self.body(graph, node, *body)?;
        }
        Ok(added)
    }

    /// A conditional node behind `before`, with empty bodies.
    pub(super) fn conditional_node(
        &mut self,
        graph: GraphRef,
        node: NodeId,
        before: Node,
        handle: Handle,
        kind: Conditional,
        bodies: usize,
    ) -> Result<(Node, Vec<GraphRef>)> {
        let mut params = NodeParams::conditional(handle, kind, bodies as u32, self.context);
        // SAFETY: the graph is under construction, `before` is a node of it, and the parameters are of that many bodies.
        let added = unsafe { graph.add_conditional(&[before], &mut params, bodies) };
        let added = added.at(|| NodeName::of(&self.sources.plan.program, node), "adding it to the CUDA graph")?;
        self.placed.belongs(added.0, node);
        Ok(added)
    }

    /// A body's nodes; one that does nothing where the driver wants one (rule R167).
    fn body(&mut self, graph: GraphRef, owner: NodeId, body: RegionId) -> Result<()> {
        let empty = self.sources.plan.region(body).is_none_or(|region| region.order.is_empty());
        if empty && !self.lowering.empty_bodies {
            self.after.clear();
            let nothing = self.zero(graph, owner, 0, 0)?;
            self.placed.belongs(nothing, owner);
            return Ok(());
        }
        self.region(graph, body)
    }
}
