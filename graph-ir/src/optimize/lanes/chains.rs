//! From lanes to edges.

use super::dealing::Dealt;
use super::units::Units;
use crate::analysis::{Edge, Reason};
use crate::model::NodeId;

/// The edges that the lanes add: from each launch to the next one on its lane, unless that waits for it anyway. Of what shares a launch all
/// wait and all are waited for, so that one node's edges are as good as another's.
pub(super) fn edges(units: &Units, dealt: &Dealt) -> Vec<Edge> {
    let mut edges = Vec::new();
    for unit in 0..units.len() {
        let (Some(front), Some(lane)) = (dealt.front[unit], dealt.lane[unit]) else { continue };
        if units.before.of(unit).iter().any(|(earlier, _)| *earlier == front) {
            continue;
        }
        for from in units.sinks(front as usize) {
            let to = units.sources(unit).iter();
            edges.extend(to.map(|to| Edge { from: *from, to: *to, reason: Reason::Lane { lane } }));
        }
    }
    edges
}

/// The lane of each node that has one, by node.
pub(super) fn lanes(units: &Units, dealt: &Dealt) -> Vec<(NodeId, u32)> {
    let lane = |(node, unit): &(NodeId, u32)| Some((*node, dealt.lane[*unit as usize]?));
    let mut lanes: Vec<_> = units.members.iter().filter_map(lane).collect();
    lanes.sort_unstable();
    lanes
}
