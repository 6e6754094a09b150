//! Where a plan's nodes are in the CUDA graph.

use graph_ir::model::NodeId;

use super::sources::{Decision, Slot};
use crate::cuda::driver::{Handle, Node};

/// By node id.
#[derive(Debug)]
pub(in crate::cuda) struct Placed {
    nodes: Vec<Place>,
    /// Nodes that belong to a node of the plan beside those in its place.
    others: Vec<(Node, NodeId)>,
    handles: Vec<Handle>,
}

/// One node of the plan.
#[derive(Clone, Debug, Default)]
struct Place {
    main: Option<Node>,
    again: Option<Node>,
    /// What those wait for that come after it.
    exit: Option<Node>,
    /// First and number of its handles.
    handles: (u32, u32),
}

impl Placed {
    pub(super) fn new(nodes: usize) -> Self {
        Self { nodes: vec![Place::default(); nodes], others: Vec::new(), handles: Vec::new() }
    }

    /// The CUDA node of a launch or copy.
    pub(in crate::cuda) fn get(&self, node: NodeId, slot: Slot) -> Option<Node> {
        let place = &self.nodes[node.0 as usize];
        match slot {
            Slot::Main => place.main,
            Slot::Again => place.again,
        }
    }

    /// What to wait for in order to come after a node.
    pub(super) fn exit(&self, node: NodeId) -> Option<Node> {
        self.nodes[node.0 as usize].exit
    }

    /// Where a conditional's test puts its decision.
    pub(in crate::cuda) fn decision(&self, node: NodeId) -> Decision<'_> {
        let (first, count) = self.nodes[node.0 as usize].handles;
        Decision::Handles(&self.handles[first as usize..(first + count) as usize])
    }

    pub(super) fn set(&mut self, node: NodeId, slot: Slot, added: Node) {
        let place = &mut self.nodes[node.0 as usize];
        match slot {
            Slot::Main => place.main = Some(added),
            Slot::Again => place.again = Some(added),
        }
    }

    pub(super) fn set_exit(&mut self, node: NodeId, added: Node) {
        self.nodes[node.0 as usize].exit = Some(added);
    }

    pub(super) fn set_handles(&mut self, node: NodeId, handles: &[Handle]) {
        self.nodes[node.0 as usize].handles = (self.handles.len() as u32, handles.len() as u32);
        self.handles.extend_from_slice(handles);
    }

    /// Remembers that a CUDA node belongs to a node of the plan.
    pub(super) fn belongs(&mut self, added: Node, node: NodeId) {
        self.others.push((added, node));
    }

    /// The node of the plan that a CUDA node belongs to. Slow: for errors.
    pub(super) fn owner(&self, added: Node) -> Option<NodeId> {
        let is = |node: Option<Node>| node == Some(added);
        let place = self.nodes.iter().position(|place| is(place.main) || is(place.again) || is(place.exit));
        let other = || self.others.iter().find(|(node, _)| *node == added).map(|(_, node)| *node);
        place.map(|index| NodeId(index as u32)).or_else(other)
    }
}
