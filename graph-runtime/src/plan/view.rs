//! The plan, for people and tests.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use graph_ir::analysis::{Edge, Edges, width};
use graph_ir::export;
use graph_ir::export::data::{GraphData, TimeData};
use graph_ir::model::{NodeId, RegionId};

use super::{ByLaunches, Parts, Plan, RegionPlan, SharedPlan};
use crate::error::NodeName;

/// What a graph launches: its nodes, who waits for whom and why, and how much memory of its own it needs.
#[derive(Clone)]
pub struct PlanView {
    pub(super) plan: SharedPlan,
    pub(super) by_launches: Option<ByLaunches>,
    /// How long its nodes took, if that was measured.
    measured: Option<Arc<Measured>>,
}

/// How long the nodes of a plan took in one run.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) device: String,
    /// Each node's own time.
    pub(crate) nodes: BTreeMap<NodeId, TimeData>,
}

/// A node of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanNode {
    /// Its label or the name made from its statement: `sweep`.
    pub label: String,
    /// `kernel`, `copy`, `fill`, `scalar`, `if`, `match`, `while`, `loop`.
    pub kind: &'static str,
    /// How many bodies it stands in: 0 in the graph itself.
    pub depth: usize,
    /// `src/main.rs:14:9`.
    pub location: String,
}

/// A node that waits for another of the same body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEdge {
    /// The label of the one that runs first.
    pub from: String,
    /// The label of the one that waits.
    pub to: String,
    /// Why: ``it reads `x`, which `sweep` writes``.
    pub reason: String,
    /// Whether the one that waits begins before the other is over, where the device can, and waits by itself.
    pub overlap: bool,
}

impl PlanView {
    pub(crate) fn new(plan: SharedPlan, by_launches: Option<ByLaunches>) -> Self {
        Self { plan, by_launches, measured: None }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Of the graph.
    pub(crate) fn name(&self) -> &str {
        &self.plan.program.name
    }

    /// With the times of a run of this plan.
    pub(crate) fn with(self, measured: Measured) -> Self {
        Self { measured: Some(Arc::new(measured)), ..self }
    }

    /// The nodes in the plan's order, those of bodies behind their conditional.
    pub fn nodes(&self) -> Vec<PlanNode> {
        let mut nodes = Vec::new();
        self.plan.visit(&mut |id, depth| nodes.push(self.plan.view_node(id, depth)));
        nodes
    }

    /// The edges of all bodies, after removing those that follow from others.
    pub fn edges(&self) -> Vec<PlanEdge> {
        let parts = Parts::of(&self.plan);
        self.plan
            .live_regions()
            .flat_map(|region| &region.edges)
            .map(|edge| self.plan.view_edge(edge, &parts))
            .collect()
    }

    /// How many nodes can run side by side, at most.
    pub fn width(&self) -> usize {
        self.plan.live_regions().map(|region| width(&region.order, &region.edges)).max().unwrap_or(0)
    }

    /// The plan in Graphviz's language.
    pub fn to_dot(&self) -> String {
        export::dot(&self.plan.program, &self.plan.edges())
    }

    /// The plan as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        export::mermaid(&self.plan.program, &self.plan.edges())
    }

    /// Why the graph is not launched as one CUDA graph, if it is not: the driver has no kind of node for something in it.
    pub fn by_launches(&self) -> Option<String> {
        self.by_launches.as_ref().map(ToString::to_string)
    }

    /// The plan as data: nodes, edges with every reason, bodies, buffers with their live ranges, the longest chain, the arena, passes; with
    /// a profile's times, if it is a profile's plan.
    pub fn data(&self) -> GraphData {
        self.plan.describe(self.by_launches.as_ref(), self.measured.as_deref())
    }

    /// [`PlanView::data`] as JSON. The reference has the schema.
    pub fn to_json(&self) -> String {
        crate::page::json(&self.data())
    }

    /// [`PlanView::data`] as one page for a browser, which loads nothing else.
    pub fn to_html(&self) -> String {
        crate::page::html(&self.data())
    }

    /// Bytes of device memory for transients and counters.
    pub fn arena_bytes(&self) -> u64 {
        self.plan.arena.device_bytes.saturating_add(self.plan.arena.counter_bytes)
    }

    /// Bytes of pinned host memory for transients.
    pub fn host_arena_bytes(&self) -> u64 {
        self.plan.arena.host_bytes
    }
}

impl Plan {
    pub(super) fn edges(&self) -> Edges {
        let region = |region| Some((region, self.region(region)?.edges.clone()));
        self.program.live_regions().into_iter().filter_map(region).collect()
    }

    pub(super) fn live_regions(&self) -> impl Iterator<Item = &RegionPlan> {
        self.program.live_regions().into_iter().filter_map(|region| self.region(region))
    }

    fn visit(&self, node: &mut impl FnMut(NodeId, usize)) {
        self.visit_region(RegionId::GRAPH, 0, node);
    }

    fn visit_region(&self, region: RegionId, depth: usize, node: &mut impl FnMut(NodeId, usize)) {
        for &id in self.region(region).into_iter().flat_map(|region| &region.order) {
            node(id, depth);
            for body in self.program.node(id).kind.bodies() {
                self.visit_region(body, depth + 1, node);
            }
        }
    }

    fn view_node(&self, id: NodeId, depth: usize) -> PlanNode {
        let NodeName { label, location } = NodeName::of(&self.program, id);
        PlanNode { label, kind: self.program.node(id).kind.word(), depth, location }
    }

    pub(crate) fn view_edge(&self, edge: &Edge, parts: &Parts<'_>) -> PlanEdge {
        let label = |node| self.program.node(node).label.clone();
        let (from, to) = (label(edge.from), label(edge.to));
        let reason = export::reason_text(&self.program, edge.from, &edge.reason);
        let overlap = self.overlaps(edge.from, edge.to, parts);
        PlanEdge { from: from.to_string(), to: to.to_string(), reason, overlap }
    }
}

impl fmt::Display for PlanView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&export::text(&self.data()))
    }
}

impl fmt::Debug for PlanView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
