//! Lanes: a wide region's launches dealt onto a few chains.
//!
//! What a CUDA graph costs depends on its shape: a launch costs the host about a microsecond for each node that waits for nothing, and
//! more nodes than the device holds grids run one behind another anyway. So where more launches than a number of lanes could run side by
//! side, each gets a lane, and waits for the one in front of it there. Launches are listed by the longest path to the exit and given to
//! the lane that is free first, or to that of a launch which they wait for anyway (list scheduling). Then transitive reduction runs once
//! more: most edges of a wide graph follow from those of the lanes. Where it is memory that counts, they are listed as they are written.
//!
//! An edge that a lane adds is an order that the block allows and does not ask for. It can make no block hang: `units.rs` sees to it that
//! nothing which meets the outside while it runs gets to wait for another such thing.
//!
//! List scheduling: Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969).

mod chains;
mod dealing;
mod model;
mod priorities;
mod units;

pub use self::model::{Costs, estimate};
use self::units::Units;
use super::{Fusion, reduce_in};
use crate::analysis::width::most_on_a_level;
use crate::analysis::{Edge, topological};
use crate::model::{NodeId, Program, RegionId};

/// As many while nobody knows how long nodes take: a device holds so many grids at once, and fewer lanes would cost many times where
/// kernels are long.
pub const UNKNOWN: u32 = 128;

/// A region as it is before it has lanes.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// A topological order.
    pub order: &'a [NodeId],
    /// The edges that the block demands, after [`reduce`](super::reduce).
    pub edges: &'a [Edge],
    /// What shares a launch has one place on one lane.
    pub fusion: &'a Fusion,
    /// How long a node takes, in any unit; zero counts as one. All alike if nothing is known.
    pub durations: &'a dyn Fn(NodeId) -> u64,
    /// Who goes first.
    pub urgency: Urgency,
}

/// Which of the launches that are ready gets a lane first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// That with the longest path to the exit: the fastest.
    LongestPath,
    /// The first in the order: what has begun ends before other things begin, so less memory is needed at once.
    AsWritten,
}

/// Who runs on which lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lanes {
    /// How many lanes there are.
    pub count: u32,
    /// The lane of each node that has one, by node.
    pub of: Vec<(NodeId, u32)>,
    /// How many edges the lanes have added.
    pub added: usize,
    /// How many edges follow from others now.
    pub implied: usize,
}

impl Lanes {
    /// The lane of a node, if it has one.
    pub fn lane(&self, node: NodeId) -> Option<u32> {
        let found = self.of.binary_search_by_key(&node, |(node, _)| *node);
        found.ok().map(|at| self.of[at].1)
    }
}

/// A region on lanes: its edges, those of the block and those of the lanes, after [`reduce`](super::reduce).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// A topological order: in text order among those that are ready.
    pub order: Vec<NodeId>,
    /// Sorted by (to, from).
    pub edges: Vec<Edge>,
    /// Who runs where.
    pub lanes: Lanes,
}

/// Deals a region onto at most `most` lanes. `None` if no more launches than that can run side by side, counted by levels: then the region
/// stays as it is.
///
/// Costs nodes and edges times the logarithm of the nodes. The same region comes out the same each time.
pub fn lay(program: &Program, region: RegionId, given: Given<'_>, most: u32) -> Option<Laid> {
    let most = most.max(1);
    let launches = given.order.len() - given.fusion.tail.len();
    if launches <= most as usize
        || given.fusion.groups.is_empty() && most_on_a_level(given.order, given.edges) <= most as usize
    {
        return None;
    }
    let units = Units::of(program, given)?;
    if priorities::most_at_once(&units) <= most as usize {
        return None;
    }
    let dealt = dealing::deal(&units, most, given.urgency);
    let added = chains::edges(&units, &dealt);
    if added.is_empty() {
        return None;
    }
    let mut edges = given.edges.to_vec();
    edges.extend(&added);
    edges.sort_by_key(|edge| (edge.to, edge.from));
    let all = edges.len();
    let order = topological(&program.region(region).nodes, &edges).ok()?;
    let edges = reduce_in(&order, &edges);
    let implied = all - edges.len();
    let lanes = Lanes { count: dealt.count, of: chains::lanes(&units, &dealt), added: added.len(), implied };
    Some(Laid { order, edges, lanes })
}

#[cfg(test)]
mod measured;
#[cfg(test)]
mod tests;
