//! Graphs with an edge turned around: tests of the edges themselves.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use graph_ir::analysis::Reason;
use graph_ir::model::{Mode, NodeId};

use crate::plan::{Parts, Plan};

/// Passes of a loop, at most, where an edge is turned around: what ends it may never be written.
pub(super) const MOST_PASSES: u64 = 100_000;

/// Turns an edge of what is built on a device around, so that the node that should wait runs first. If nobody can tell, the edge is
/// not needed, or not tested.
#[derive(Debug, Default)]
pub struct Reversal {
    /// As [`Reversal::seen`] names it.
    edge: Option<String>,
    seen: Mutex<BTreeMap<String, SeenEdge>>,
}

/// The two nodes of an edge, by what they and their bodies use.
#[derive(Clone, Debug)]
pub struct SeenEdge {
    /// The one that runs first.
    pub from: Vec<SeenUse>,
    /// The one that waits.
    pub to: Vec<SeenUse>,
}

/// Elements of a buffer.
#[derive(Clone, Debug)]
pub struct SeenUse {
    /// Its number in the graph.
    pub buffer: u32,
    /// How they are used.
    pub mode: Mode,
    /// The first index, and the one past the last, along each dimension.
    pub ranges: Vec<(u64, u64)>,
}

impl Reversal {
    /// Of no edge.
    pub fn none() -> Self {
        Self::default()
    }

    /// Of this edge.
    pub fn of(edge: &str) -> Self {
        Self { edge: Some(edge.to_owned()), seen: Mutex::default() }
    }

    /// All edges so far: `graph: from -> to (reason) at src/main.rs:14:9 #1-3`.
    pub fn seen(&self) -> BTreeMap<String, SeenEdge> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes the edges of a plan, and says which of a region's are turned around, by position.
    pub(super) fn apply(&self, plan: &Plan) -> Vec<Option<usize>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut turned, parts) = (vec![None; plan.regions.len()], Parts::of(plan));
        for (turned, region) in turned.iter_mut().zip(plan.regions.iter()) {
            let edges = region.iter().flat_map(|region| &region.edges).enumerate();
            // Nobody can tell whether an order that only a lane gives is turned around.
            for (index, edge) in edges.filter(|(_, edge)| !matches!(edge.reason, Reason::Lane { .. })) {
                let view = plan.view_edge(edge, &parts);
                let node = plan.program.node(edge.to);
                let place = plan.program.location(node.place).map(|spot| spot.to_string()).unwrap_or_default();
                let ids = format!("#{}-{}", edge.from.0, edge.to.0);
                let (from, to, reason) = (view.from, view.to, view.reason);
                let text = format!("{}: {from} -> {to} ({reason}) at {place} {ids}", plan.program.name);
                if self.edge.as_deref() == Some(&text) {
                    *turned = Some(index);
                }
                seen.insert(text, SeenEdge { from: uses(plan, edge.from), to: uses(plan, edge.to) });
            }
        }
        turned
    }

    /// Whether any edge is turned around.
    pub(super) fn is_on(&self) -> bool {
        self.edge.is_some()
    }
}

fn uses(plan: &Plan, node: NodeId) -> Vec<SeenUse> {
    let node = plan.program.node(node);
    let own = node.accesses.iter().map(|access| SeenUse {
        buffer: access.buffer.0,
        mode: access.mode,
        ranges: access.footprint.ranges().iter().map(|range| range.numbers().unwrap_or_default()).collect(),
    });
    let bodies = node.kind.bodies().into_iter().flat_map(|body| &plan.program.region(body).nodes);
    own.chain(bodies.flat_map(|inner| uses(plan, *inner))).collect()
}
