//! Regions: bodies, each a list of nodes in text order.

use serde::{Deserialize, Serialize};

use super::{NodeId, Place};

/// Index into [`Program::regions`](super::Program::regions). Region 0 is the graph's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RegionId(pub u32);

impl RegionId {
    /// The graph's own body.
    pub const GRAPH: Self = Self(0);
}

/// What a region is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RegionKind {
    /// The graph.
    Graph,
    /// An `if`, taken when the condition holds.
    Then,
    /// An `if`, taken when it does not.
    Else,
    /// A `match`, by arm.
    Arm,
    /// A `while` or `loop`: [`LoopHead::every`](super::LoopHead::every) passes, one after another.
    Body,
    /// A `for` over host values: one pass.
    Pass,
}

/// One body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// What it is the body of.
    pub kind: RegionKind,
    /// The conditional that it belongs to; `None` for the graph.
    pub owner: Option<NodeId>,
    /// Its nodes, in text order.
    pub nodes: Vec<NodeId>,
    /// The keyword (`if`, `else`, `while`, …) or the graph's name.
    pub place: Place,
}
