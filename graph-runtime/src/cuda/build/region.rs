//! Regions, node by node, into a CUDA graph.

use std::collections::BTreeMap;
use std::time::Duration;

use graph_ir::model::{NodeId, NodeKind, RegionId};

use super::arguments::Arguments;
use super::gates::Gates;
use super::lowering::Lowering;
use super::order::Order;
use super::placed::Placed;
use super::prepared::Prepared;
use super::sources::{Decision, Slot, Sources};
use super::work::Spec;
use crate::cuda::driver::{Attributes, Context, Doing, Edge, GraphRef, Handle, Node, NodeParams};
use crate::error::{NodeName, Result};
use crate::graph::timed;
use crate::plan::Part;

/// Adds a plan's nodes to a CUDA graph.
pub(super) struct Builder<'a> {
    pub(super) sources: Sources<'a>,
    pub(super) lowering: Lowering,
    pub(super) context: Context,
    pub(super) order: Order<'a>,
    pub(super) placed: Placed,
    pub(super) arguments: Arguments,
    /// How long it took to prepare regions.
    pub(super) lower: Duration,
    /// What the next node waits for.
    pub(super) after: Vec<Node>,
    /// By which edges, if not all are full.
    pub(super) edges: Vec<Edge>,
    /// What nodes of the graph's own region wait for beside that.
    pub(super) zeroed: BTreeMap<NodeId, Vec<Node>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(sources: Sources<'a>, lowering: Lowering, context: Context) -> Self {
        let order = Order::of(sources.plan);
        let placed = Placed::new(sources.plan.program.nodes.len());
        let (arguments, after, edges, zeroed) = (Arguments::default(), Vec::new(), Vec::new(), BTreeMap::new());
        Self { sources, lowering, context, order, placed, arguments, lower: Duration::ZERO, after, edges, zeroed }
    }

    /// Adds the nodes of a region, each behind those that it waits for.
    pub(super) fn region(&mut self, graph: GraphRef, region: RegionId) -> Result<()> {
        let (prepared, lower) = timed(|| Prepared::of(self.sources, &self.placed, &self.order, region));
        self.lower += lower;
        let mut prepared = prepared?;
        let mut gates = Gates::default();
        for position in 0..prepared.len() {
            let (node, waits) = prepared.node(position);
            let closed = self.gates(graph, region, node, &mut gates)?;
            self.after.clear();
            self.after
                .extend(waits.iter().filter_map(|before| self.placed.exit(*before)).chain(closed.iter().copied()));
            if region == RegionId::GRAPH && !self.zeroed.is_empty() {
                self.after.extend(self.zeroed.get(&node).into_iter().flatten());
            }
            self.wait_once();
            let launch = prepared.launch(position);
            self.edges.clear();
            if prepared.overlaps(position) {
                self.overlap(prepared.node(position), launch, closed);
            }
            match prepared.params(position, self.context) {
                Some(params) => self.plain(graph, node, params)?,
                None => self.conditional_kind(graph, node)?,
            }
            if let Some(spec) = launch {
                self.launched(node, spec.attributes)?;
            }
        }
        Ok(())
    }

    /// Finds out by which edges the next node waits: programmatic ones lead from kernels to a kernel, and which may has been planned.
    fn overlap(&mut self, (node, waits): (NodeId, &[NodeId]), launch: Option<Spec>, gates: Vec<Node>) {
        let plan = self.sources.plan;
        let Some(region) = plan.region(plan.program.node(node).region) else { return };
        let overlap = &region.overlap;
        // In front of a conditional is its test, unless one launch runs it whole.
        let kind = &plan.program.node(node).kind;
        let is_kernel = launch.is_some() || !kind.bodies().is_empty() && self.sources.generated.whole(node).is_none();
        if !is_kernel || !self.sources.kernels.overlap() {
            return;
        }
        let launches =
            waits.iter().filter(|before| self.placed.is_launch(**before) && overlap.overlaps(**before, node));
        let mut launches: Vec<Node> = launches.filter_map(|before| self.placed.exit(*before)).chain(gates).collect();
        launches.sort_unstable();
        let edge = |before: &Node| match launches.binary_search(before) {
            Ok(_) => Edge::Programmatic,
            Err(_) => Edge::Full,
        };
        self.edges.extend(self.after.iter().map(edge));
    }

    /// The next node, a generated kernel, waits by programmatic edges.
    pub(super) fn overlap_all(&mut self) {
        if self.sources.kernels.overlap() {
            self.edges.extend(self.after.iter().map(|_| Edge::Programmatic));
        }
    }

    fn launched(&mut self, node: NodeId, attributes: Attributes) -> Result<()> {
        self.placed.set_launch(node, attributes.priority.is_some());
        if let Part::First(group) = self.order.part(node) {
            group.iter().for_each(|member| self.placed.set_launch(*member, false));
        }
        let (Some(added), true) = (self.placed.exit(node), attributes != Attributes::default()) else { return Ok(()) };
        // SAFETY: the node was added a moment ago, for a launch.
        let set = unsafe { attributes.set(added) };
        set.at(|| NodeName::of(&self.sources.plan.program, node), "setting the attributes of its launch")
    }

    fn conditional_kind(&mut self, graph: GraphRef, node: NodeId) -> Result<()> {
        match &self.sources.plan.program.node(node).kind {
            NodeKind::If { then, otherwise, .. } => self.branch(graph, node, *then, *otherwise),
            NodeKind::Match { arms, otherwise, .. } => self.choice(graph, node, arms, *otherwise),
            NodeKind::Loop(head) => self.repeat(graph, node, head.body),
            _ => Ok(()),
        }
    }

    /// A node that is one node of the CUDA graph too.
    pub(super) fn plain(&mut self, graph: GraphRef, node: NodeId, params: &mut NodeParams) -> Result<()> {
        let added = self.add(graph, node, params)?;
        self.placed.set_exit(node, added);
        if let Part::First(group) = self.order.part(node) {
            group.iter().for_each(|member| self.placed.set_exit(*member, added));
        }
        Ok(())
    }

    /// Nodes that share a launch are one to wait for.
    fn wait_once(&mut self) {
        if self.order.shares_launches() {
            self.after.sort_unstable();
            self.after.dedup();
        }
    }

    /// Adds what a node launches or copies, behind [`Builder::after`].
    pub(super) fn launch(&mut self, graph: GraphRef, node: NodeId, slot: Slot, handles: &[Handle]) -> Result<Node> {
        self.arguments.clear();
        let work = self.sources.work(node, slot, Decision::Handles(handles), &mut self.arguments)?;
        let mut params = work.params(self.arguments.all_pointers(), self.context);
        self.add(graph, node, &mut params)
    }

    /// Adds a launch that sets bytes to zero, for `node`, behind [`Builder::after`].
    pub(super) fn zero(&mut self, graph: GraphRef, node: NodeId, address: u64, bytes: u64) -> Result<Node> {
        self.arguments.clear();
        let work = self.sources.zero(address, bytes, &mut self.arguments);
        let mut params = work.params(self.arguments.all_pointers(), self.context);
        self.add(graph, node, &mut params)
    }

    pub(super) fn add(&mut self, graph: GraphRef, node: NodeId, params: &mut NodeParams) -> Result<Node> {
        let added = if self.edges.is_empty() {
            // SAFETY: the graph is under construction, `after` holds nodes of it (edges stay within a region, which is one graph), each
            // once, and the arguments live until the next change.
            unsafe { graph.add(&self.after, params) }
        } else {
            // SAFETY: as above; programmatic edges were chosen only from launches to a kernel that waits: it is generated so, or declared to.
            unsafe { graph.add_overlapping(&self.after, &self.edges, params) }
        };
        self.edges.clear();
        added.at(|| NodeName::of(&self.sources.plan.program, node), "adding it to the CUDA graph")
    }

    /// The nodes of a region that nobody waits for become what the next node waits for.
    pub(super) fn wait_for_all(&mut self, region: RegionId) {
        self.after.clear();
        let placed = &self.placed;
        self.after.extend(self.order.last(self.sources.plan, region).filter_map(|last| placed.exit(last)));
        self.wait_once();
    }
}
