//! The same programs without what nobody reads: all that stays sees what it saw, in every order, and so does the caller.

use std::collections::BTreeSet;

use graph_ir::model::{Mode, NodeId, NodeKind, Program, RegionId};
use graph_ir::optimize::{leave_out, unread};
use proptest::prelude::*;

use crate::judge::{bodies, paths};
use crate::lanes::{by_position, ordered};
use crate::machine::{EdgesOf, Odometer, Places, World, in_some_order, in_text_order};
use crate::unfold::{Item, Kind, Leaf, Region, Unfolded};
use crate::{Counts, MOST_ORDERS, PATHS_IN_ALL_ORDERS, arena};

/// Leaves out what the pass says, and looks whether anybody can tell; and in graphs without bodies, whether it says all that nobody sees.
pub(crate) fn nobody_can_tell(
    program: &Program,
    unfolded: &Unfolded,
    counts: &mut Counts,
) -> Result<(), TestCaseError> {
    let found = unread(program, program, &|_, _| true);
    prop_assert!(found.iter().all(|node| is_pure(program, *node)));
    counts.unread += found.len();
    let mut left = program.clone();
    leave_out(&mut left, &found);
    let graph = without(program, RegionId::GRAPH, &unfolded.graph, &found);
    if !found.is_empty() {
        let regions = ordered(&left);
        let places = arena::places(&left, &graph, &regions, &mut 0);
        runs(unfolded, &graph, &by_position(&left, &graph, &regions), &places)?;
    }
    is_all(&left, &graph, counts)
}

fn is_pure(program: &Program, node: NodeId) -> bool {
    matches!(program.node(node).kind, NodeKind::Fill { .. } | NodeKind::Copy)
}

/// A region without these nodes.
fn without(program: &Program, id: RegionId, meant: &Region, nodes: &[NodeId]) -> Region {
    let mut region = Region { items: Vec::new(), ..meant.clone() };
    for (item, node) in meant.items.iter().zip(&program.region(id).nodes) {
        if nodes.contains(node) {
            continue;
        }
        let mut item = item.clone();
        let mut inside = program.node(*node).kind.bodies().into_iter();
        let mut body = |region: &Region| inside.next().map_or(region.clone(), |id| without(program, id, region, nodes));
        match &mut item.kind {
            Kind::Leaf { .. } => {}
            Kind::Choice { arms, .. } => arms.iter_mut().for_each(|arm| *arm = body(arm)),
            Kind::Loop { body: inner, .. } => *inner = body(inner),
        }
        region.items.push(item);
    }
    region
}

fn runs(unfolded: &Unfolded, graph: &Region, edges: &EdgesOf, places: &Places) -> Result<(), TestCaseError> {
    for path in paths(&unfolded.graph, PATHS_IN_ALL_ORDERS) {
        let mut odometer = Odometer::default();
        for _ in 0..MOST_ORDERS {
            let other = in_some_order(graph, edges, &path.answers, places, &mut odometer);
            let other = other.ok_or_else(|| TestCaseError::fail("no order runs all nodes"))?;
            prop_assert!(is_same(&path, &other), "somebody can tell");
            prop_assert_eq!((&other.effects, &other.turns), (&path.effects, &path.turns));
            if !odometer.advance() {
                break;
            }
        }
    }
    Ok(())
}

/// Whether all that ran in both saw the same, and the caller finds the same.
fn is_same(all: &World, fewer: &World) -> bool {
    fewer.seen.iter().all(|(name, seen)| all.seen.get(name) == Some(seen)) && all.left() == fewer.left()
}

/// In a graph without bodies, events, captured calls and atomic updates, leaving out any other fill or copy would show.
fn is_all(program: &Program, graph: &Region, counts: &mut Counts) -> Result<(), TestCaseError> {
    let plain = |item: &Item| {
        let is_foreign = matches!(item.kind, Kind::Leaf { word: Leaf::Fence | Leaf::Capture, .. });
        let is_atomic = item.touches.iter().any(|touch| touch.mode == Mode::Atomic);
        bodies(item).is_empty() && !is_foreign && !is_atomic
    };
    if !graph.items.iter().all(plain) {
        return Ok(());
    }
    let named: BTreeSet<NodeId> = program
        .region(RegionId::GRAPH)
        .nodes
        .iter()
        .flat_map(|node| &program.node(*node).after)
        .map(|after| after.target)
        .collect();
    let all = in_text_order(graph, &mut Odometer::default());
    for node in &program.region(RegionId::GRAPH).nodes {
        let carries_order = named.contains(node) || !program.node(*node).after.is_empty();
        if is_pure(program, *node) && !carries_order {
            counts.needed += 1;
            let fewer = in_text_order(&without(program, RegionId::GRAPH, graph, &[*node]), &mut Odometer::default());
            prop_assert!(!is_same(&all, &fewer), "{:?} is read by nobody either", program.node(*node).label);
        }
    }
    Ok(())
}
