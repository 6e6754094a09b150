//! A plan by numbers: what tests compare with what a driver was given.

use graph_ir::model::{NodeId, RegionId};

use super::{Part, Parts, Plan, PlanView};

/// A node of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedNode {
    /// Its number.
    pub id: u32,
    /// As `PlanNode` has it.
    pub kind: &'static str,
    /// As `PlanNode` has it.
    pub label: String,
    /// The nodes of its own body that it waits for, after removing those that follow from others.
    pub waits: Vec<u32>,
    /// Of those, what gates take the place of: the nodes in front of each gate.
    pub gates: Vec<Vec<u32>>,
    /// Those of `waits` before whose end it begins, where the device can.
    pub early: Vec<u32>,
    /// The node in whose launch it is, if it has none of its own.
    pub within: Option<u32>,
    /// Whether the test at the end of the loop's body makes it.
    pub by_test: bool,
    /// Whether one launch runs it, a loop, whole: where the driver takes such launches.
    pub whole: bool,
    /// Its bodies, each with its nodes in the plan's order.
    pub bodies: Vec<Vec<PlannedNode>>,
}

impl PlanView {
    /// The nodes in the plan's order.
    #[doc(hidden)]
    pub fn planned(&self) -> Vec<PlannedNode> {
        self.plan.planned(RegionId::GRAPH, &Parts::of(&self.plan))
    }
}

impl Plan {
    fn planned(&self, region: RegionId, parts: &Parts<'_>) -> Vec<PlannedNode> {
        let nodes = self.region(region).map_or(&[][..], |region| &region.order);
        nodes.iter().map(|node| self.planned_node(region, *node, parts)).collect()
    }

    fn planned_node(&self, region: RegionId, id: NodeId, parts: &Parts<'_>) -> PlannedNode {
        let node = self.program.node(id);
        let edges = self.region(region).map_or(&[][..], |region| &region.edges);
        let (part, label) = (parts.part(id), node.label.to_string());
        let within = match part {
            Part::Behind(first) => Some(first.0),
            _ => None,
        };
        let gates = self.region(region).map_or(&[][..], |region| &region.gates);
        let gates = gates.iter().filter(|gate| gate.behind.contains(&id));
        let waits = || edges.iter().filter(|edge| edge.to == id);
        let early = waits().filter(|edge| self.overlaps(edge.from, id, parts));
        PlannedNode {
            id: id.0,
            kind: node.kind.word(),
            label,
            waits: waits().map(|edge| edge.from.0).collect(),
            gates: gates.map(|gate| gate.before.iter().map(|node| node.0).collect()).collect(),
            early: early.map(|edge| edge.from.0).collect(),
            within,
            by_test: part == Part::Tail,
            whole: self.resident(id, parts).is_some(),
            bodies: node.kind.bodies().into_iter().map(|body| self.planned(body, parts)).collect(),
        }
    }
}
