//! The same programs on few lanes: more order than the block demands, and nobody can tell.

use std::collections::BTreeMap;

use graph_ir::analysis::{Edge, Reason, dependences, topological, width};
use graph_ir::model::{NodeId, Program, RegionId};
use graph_ir::optimize::lanes::{Given, Urgency, lay};
use graph_ir::optimize::{Fusion, reduce};
use proptest::prelude::*;

use crate::Counts;
use crate::judge::{Order, bodies, closed};
use crate::machine::EdgesOf;
use crate::unfold::Region;

/// By region: a topological order and its edges.
pub(crate) type Ordered = BTreeMap<RegionId, (Vec<NodeId>, Vec<Edge>)>;

/// All live regions as the block demands.
pub(crate) fn ordered(program: &Program) -> Ordered {
    let region = |region: RegionId| {
        let edges = reduce(program, region, &dependences(program, region));
        (region, (topological(&program.region(region).nodes, &edges).unwrap(), edges))
    };
    program.live_regions().into_iter().map(region).collect()
}

/// The same on at most so many lanes; `None` if no region is wider.
pub(crate) fn laid(program: &Program, most: u32, counts: &mut Counts) -> Option<Ordered> {
    let mut regions = ordered(program);
    let before = counts.lanes;
    for (region, (order, edges)) in &mut regions {
        // Other durations in each region, the same each time.
        let durations = |node: NodeId| u64::from((node.0 * 7 + region.0) % 5);
        let urgency = if most == 1 { Urgency::AsWritten } else { Urgency::LongestPath };
        let given = Given { order, edges, fusion: &Fusion::default(), durations: &durations, urgency };
        let Some(laid) = lay(program, *region, given, most) else { continue };
        counts.lanes += 1;
        counts.lane_edges += laid.lanes.added;
        *order = topological(&program.region(*region).nodes, &laid.edges).unwrap();
        *edges = laid.edges;
    }
    (counts.lanes > before).then_some(regions)
}

/// The lanes keep the order that there was, and no more of what has a lane runs at once than there are lanes.
pub(crate) fn only_adds(program: &Program, laid: &Ordered, most: u32) -> Result<(), TestCaseError> {
    for (region, (order, edges)) in laid {
        let nodes = &program.region(*region).nodes;
        let position = |node: NodeId| nodes.iter().position(|other| *other == node).unwrap();
        let pairs =
            |edges: &[Edge]| -> Order { edges.iter().map(|edge| (position(edge.from), position(edge.to))).collect() };
        let before = closed(&pairs(&dependences(program, *region)), nodes.len());
        let after = closed(&pairs(edges), nodes.len());
        prop_assert!(before.is_subset(&after));
        prop_assert!(after.iter().all(|(from, to)| from != to));
        let is_of_lane = |edge: &&Edge| matches!(edge.reason, Reason::Lane { .. });
        if edges.iter().any(|edge| is_of_lane(&edge)) {
            let whole = nodes.iter().all(|node| {
                let node = program.node(*node);
                node.kind.bodies().is_empty() && !node.effects && node.kind.event().is_none() && node.section.0 == 0
            });
            let calls = nodes.iter().any(|node| program.node(*node).kind.word() == "capture");
            prop_assert!(!whole || calls || width(order, edges) <= most as usize, "{:?}", edges);
        }
    }
    Ok(())
}

/// As [`crate::machine::in_some_order`] wants edges.
pub(crate) fn by_position(program: &Program, graph: &Region, laid: &Ordered) -> EdgesOf {
    let mut edges = EdgesOf::new();
    let mut open = vec![(RegionId::GRAPH, graph, String::new())];
    while let Some((id, meant, key)) = open.pop() {
        let nodes = &program.region(id).nodes;
        let position = |node: NodeId| nodes.iter().position(|other| *other == node).unwrap();
        let found = laid.get(&id).into_iter().flat_map(|(_, edges)| edges);
        edges.insert(key, found.map(|edge| (position(edge.from), position(edge.to))).collect());
        for (item, node) in meant.items.iter().zip(nodes) {
            let inside = bodies(item).into_iter().zip(program.node(*node).kind.bodies());
            open.extend(inside.map(|((key, body), id)| (id, body, key)));
        }
    }
    edges
}
