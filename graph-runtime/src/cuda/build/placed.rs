//! Where a plan's nodes are in the CUDA graph.

use std::collections::BTreeMap;

use graph_ir::model::NodeId;

use super::sources::{Decision, Slot};
use crate::cuda::driver::{Handle, Node};

/// By node id.
#[derive(Debug)]
pub(in crate::cuda) struct Placed {
    /// What those wait for that come after a node; [`Node::NONE`] until it is added. One word a node: this is written for each.
    exits: Vec<Node>,
    /// By node id: whether what those wait for is a launch.
    launches: Vec<bool>,
    /// Whether a node has a priority.
    priorities: bool,
    /// Of conditionals.
    tests: BTreeMap<NodeId, Tests>,
    /// Nodes that belong to a node of the plan beside those in its place.
    others: Vec<(Node, NodeId)>,
}

/// What decides a conditional.
#[derive(Debug, Default)]
struct Tests {
    main: Option<Node>,
    again: Option<Node>,
    handles: Vec<Handle>,
}

impl Placed {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            exits: vec![Node::NONE; nodes],
            launches: vec![false; nodes],
            priorities: false,
            tests: BTreeMap::new(),
            others: Vec::new(),
        }
    }

    /// The CUDA node of a launch or copy.
    pub(in crate::cuda) fn get(&self, node: NodeId, slot: Slot) -> Option<Node> {
        match (self.tests.get(&node), slot) {
            (Some(tests), Slot::Main) => tests.main,
            (Some(tests), Slot::Again) => tests.again,
            (None, Slot::Main) => self.exit(node),
            (None, Slot::Again) => None,
        }
    }

    /// What to wait for in order to come after a node.
    pub(super) fn exit(&self, node: NodeId) -> Option<Node> {
        self.exits.get(node.0 as usize).copied().filter(|exit| *exit != Node::NONE)
    }

    /// Where a conditional's test puts its decision.
    pub(in crate::cuda) fn decision(&self, node: NodeId) -> Decision<'_> {
        Decision::Handles(self.tests.get(&node).map_or(&[], |tests| &tests.handles))
    }

    /// The CUDA node of a conditional's test.
    pub(super) fn set_test(&mut self, node: NodeId, slot: Slot, added: Node) {
        let tests = self.tests.entry(node).or_default();
        match slot {
            Slot::Main => tests.main = Some(added),
            Slot::Again => tests.again = Some(added),
        }
    }

    pub(super) fn set_exit(&mut self, node: NodeId, added: Node) {
        self.exits[node.0 as usize] = added;
    }

    /// Remembers that a node is a launch, with a priority or without.
    pub(super) fn set_launch(&mut self, node: NodeId, priority: bool) {
        self.launches[node.0 as usize] = true;
        self.priorities |= priority;
    }

    /// Whether what those wait for that come after a node is a launch.
    pub(super) fn is_launch(&self, node: NodeId) -> bool {
        self.launches[node.0 as usize]
    }

    /// Whether a node has a priority.
    pub(super) fn has_priorities(&self) -> bool {
        self.priorities
    }

    pub(super) fn set_handles(&mut self, node: NodeId, handles: &[Handle]) {
        self.tests.entry(node).or_default().handles = handles.to_vec();
    }

    /// Remembers that a CUDA node belongs to a node of the plan.
    pub(super) fn belongs(&mut self, added: Node, node: NodeId) {
        self.others.push((added, node));
    }

    /// The node of the plan that a CUDA node belongs to. Slow: for errors.
    pub(super) fn owner(&self, added: Node) -> Option<NodeId> {
        let exit = self.exits.iter().position(|exit| *exit == added).map(|index| NodeId(index as u32));
        let test = || {
            let found = self.tests.iter().find(|(_, tests)| tests.main == Some(added) || tests.again == Some(added));
            found.map(|(node, _)| *node)
        };
        let other = || self.others.iter().find(|(node, _)| *node == added).map(|(_, node)| *node);
        exit.or_else(test).or_else(other)
    }
}
