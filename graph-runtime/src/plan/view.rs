//! The plan, for people and tests.

use std::collections::HashMap;
use std::fmt;

use graph_ir::analysis::{Edge, Edges, HazardKind, Reason, width};
use graph_ir::export;
use graph_ir::model::{NodeId, Program, RegionId};

use super::{Parts, Plan, RegionPlan, SharedPlan};
use crate::error::NodeName;

/// What a graph launches: its nodes, who waits for whom and why, and how much memory of its own it needs.
#[derive(Clone)]
pub struct PlanView {
    pub(super) plan: SharedPlan,
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
}

impl PlanView {
    pub(crate) fn new(plan: SharedPlan) -> Self {
        Self { plan }
    }

    /// The nodes in the plan's order, those of bodies behind their conditional.
    pub fn nodes(&self) -> Vec<PlanNode> {
        let mut nodes = Vec::new();
        self.plan.visit(&mut |id, depth| nodes.push(self.plan.view_node(id, depth)));
        nodes
    }

    /// The edges of all bodies, after removing those that follow from others.
    pub fn edges(&self) -> Vec<PlanEdge> {
        self.plan.live_regions().flat_map(|region| &region.edges).map(|edge| self.plan.view_edge(edge)).collect()
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

    fn live_regions(&self) -> impl Iterator<Item = &RegionPlan> {
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

    pub(crate) fn view_edge(&self, edge: &Edge) -> PlanEdge {
        let label = |node| self.program.node(node).label.clone();
        let (from, to) = (label(edge.from), label(edge.to));
        let reason = reason_text(&self.program, &from, &edge.reason);
        PlanEdge { from: from.to_string(), to: to.to_string(), reason }
    }
}

/// The reason of an edge as a sentence about the node that waits.
fn reason_text(program: &Program, from: &str, reason: &Reason) -> String {
    match reason {
        Reason::Hazard { kind, buffer, .. } => {
            let name = &program.buffer(*buffer).name;
            match kind {
                HazardKind::ReadAfterWrite => format!("it reads `{name}`, which `{from}` writes"),
                HazardKind::WriteAfterWrite => format!("it overwrites `{name}`, which `{from}` writes"),
                HazardKind::WriteAfterRead => format!("it writes `{name}`, which `{from}` reads"),
            }
        }
        Reason::After { .. } => "`after` says so".to_owned(),
        Reason::Effects => "both have effects".to_owned(),
        Reason::Object { object } => format!("both use `{}` alone", program.object(*object).name),
        Reason::Fence { .. } => "nothing passes a fence".to_owned(),
    }
}

impl fmt::Display for PlanView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, edges) = (self.nodes(), self.edges());
        let (name, width) = (&self.plan.program.name, self.width());
        writeln!(f, "graph {name}: {} nodes, {} edges, at most {width} side by side", nodes.len(), edges.len())?;
        writeln!(f, "arena: {} bytes on the device, {} bytes pinned", self.arena_bytes(), self.host_arena_bytes())?;
        self.plan.write_nodes(f)
    }
}

impl Plan {
    /// Each node with what it waits for below it.
    fn write_nodes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut waits: HashMap<NodeId, Vec<PlanEdge>> = HashMap::new();
        for edge in self.live_regions().flat_map(|region| &region.edges) {
            waits.entry(edge.to).or_default().push(self.view_edge(edge));
        }
        let mut nodes = Vec::new();
        self.visit(&mut |id, depth| nodes.push((id, self.view_node(id, depth))));
        let parts = Parts::of(self);
        for (id, PlanNode { label, kind, depth, location }) in nodes {
            let indent = "  ".repeat(depth + 1);
            writeln!(f, "{indent}{label} ({kind}, {location})")?;
            if let Some(fused) = self.fused_text(&parts, id).or_else(|| self.resident_text(&parts, id)) {
                writeln!(f, "{indent}  = {fused}")?;
            }
            for PlanEdge { from, reason, .. } in waits.remove(&id).into_iter().flatten() {
                writeln!(f, "{indent}  <- {from}: {reason}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for PlanView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
