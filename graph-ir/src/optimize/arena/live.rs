//! Which transients are needed at once.
//!
//! A transient is needed from the first node that uses it to the last, whatever lies between. Two may share memory if every use of one
//! is ordered before every use of the other. What is used inside a body is used by the body's owner, unless both live in that body: a
//! buffer declared outside keeps its contents from pass to pass. Of the arms of an `if` or a `match` one runs, so theirs may share too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::apart::each_pair_in_order;
use super::conflicts::Conflicts;
use crate::analysis::Edge;
use crate::model::{BufferId, Family, NodeId, NodeKind, Program, RegionId};

/// In which order a region's nodes run.
pub struct Order<'a> {
    /// A topological order.
    pub nodes: &'a [NodeId],
    /// The edges that the graph has.
    pub edges: &'a [Edge],
}

/// Buffers that are used together, from outside: one that is declared here, or all that live in the bodies of a node.
struct Class {
    nodes: Vec<NodeId>,
    members: Vec<usize>,
}

/// Which of the transients of a concrete program are needed at once. `order` has every live region; `launch` names the nodes with which a
/// node shares its launch, itself among them: nothing is known of what one launch does first.
pub fn conflicts<'a>(
    program: &Program,
    transients: &[BufferId],
    order: &dyn Fn(RegionId) -> Option<Order<'a>>,
    launch: &dyn Fn(NodeId) -> Vec<NodeId>,
) -> Conflicts {
    let mut conflicts = Conflicts::all(transients.len());
    let Some(uses) = uses(program, transients, launch) else { return conflicts };
    for (region, classes) in levels(program, transients, &uses) {
        let Some(Order { nodes, edges }) = order(region) else { continue };
        // A kernel that overlaps with those in front of it is not behind all that they are behind.
        let overlaps =
            |node: NodeId| program.node(node).attributes.as_ref().is_some_and(|asked| asked.overlap.is_some());
        let edges: Vec<Edge> = edges.iter().filter(|edge| !overlaps(edge.to)).copied().collect();
        let (sets, members): (Vec<_>, Vec<_>) = classes.into_iter().map(|class| (class.nodes, class.members)).unzip();
        each_pair_in_order(nodes, &edges, &sets, |one, other| {
            allow(&mut conflicts, &members[one], &members[other]);
        });
    }
    for bodies in arms(program, transients, &uses) {
        for (at, one) in bodies.iter().enumerate() {
            bodies[..at].iter().for_each(|other| allow(&mut conflicts, one, other));
        }
    }
    conflicts
}

fn allow(conflicts: &mut Conflicts, some: &[usize], others: &[usize]) {
    some.iter().for_each(|one| others.iter().for_each(|other| conflicts.allow(*one, *other)));
}

/// The nodes that use each transient, seen from the region that it lives in; `None` for one that is used outside of it. Nothing if it is
/// not known which buffers are meant.
fn uses(
    program: &Program,
    transients: &[BufferId],
    launch: &dyn Fn(NodeId) -> Vec<NodeId>,
) -> Option<Vec<Option<BTreeSet<NodeId>>>> {
    let at: HashMap<BufferId, usize> = transients.iter().enumerate().map(|(at, buffer)| (*buffer, at)).collect();
    let mut uses = vec![Some(BTreeSet::new()); transients.len()];
    for region in program.live_regions() {
        for node in &program.region(region).nodes {
            for access in &program.node(*node).accesses {
                if program.buffer(access.buffer).family != Family::Single {
                    return None;
                }
                let Some(at) = at.get(&access.buffer) else { continue };
                let lives_in = program.buffer(access.buffer).region;
                for user in launch(*node) {
                    match (&mut uses[*at], seen_from(program, lives_in, user)) {
                        (Some(known), Some(seen)) => _ = known.insert(seen),
                        (known, _) => *known = None,
                    }
                }
            }
        }
    }
    Some(uses)
}

/// The node of a region that is, or in whose bodies is, a node.
fn seen_from(program: &Program, region: RegionId, mut node: NodeId) -> Option<NodeId> {
    loop {
        let here = program.node(node).region;
        if here == region {
            return Some(node);
        }
        node = program.region(here).owner?;
    }
}

/// The owners around a region, from the innermost: each with the body of it that the region is in, and the region that the owner is in.
fn around(program: &Program, mut region: RegionId) -> Vec<(NodeId, RegionId, RegionId)> {
    let mut found = Vec::new();
    while let Some(owner) = program.region(region).owner {
        let outer = program.node(owner).region;
        found.push((owner, region, outer));
        region = outer;
    }
    found
}

/// By region: what is declared in it, and what lives in the bodies of its nodes.
fn levels(
    program: &Program,
    transients: &[BufferId],
    uses: &[Option<BTreeSet<NodeId>>],
) -> BTreeMap<RegionId, Vec<Class>> {
    let mut levels: BTreeMap<RegionId, Vec<Class>> = BTreeMap::new();
    let mut inner: BTreeMap<(RegionId, NodeId), Vec<usize>> = BTreeMap::new();
    for (at, (buffer, uses)) in transients.iter().zip(uses).enumerate() {
        let Some(uses) = uses else { continue };
        let region = program.buffer(*buffer).region;
        levels.entry(region).or_default().push(Class { nodes: uses.iter().copied().collect(), members: vec![at] });
        for (owner, _, outer) in around(program, region) {
            inner.entry((outer, owner)).or_default().push(at);
        }
    }
    for ((region, owner), members) in inner {
        levels.entry(region).or_default().push(Class { nodes: vec![owner], members });
    }
    levels
}

/// What lives in each of the bodies of which one runs, for each node that has such.
fn arms(program: &Program, transients: &[BufferId], uses: &[Option<BTreeSet<NodeId>>]) -> Vec<Vec<Vec<usize>>> {
    let mut found: BTreeMap<NodeId, BTreeMap<RegionId, Vec<usize>>> = BTreeMap::new();
    for (at, (buffer, _)) in transients.iter().zip(uses).enumerate().filter(|(_, (_, uses))| uses.is_some()) {
        for (owner, body, _) in around(program, program.buffer(*buffer).region) {
            if !matches!(program.node(owner).kind, NodeKind::Loop(_) | NodeKind::For { .. }) {
                found.entry(owner).or_default().entry(body).or_default().push(at);
            }
        }
    }
    found.into_values().map(|bodies| bodies.into_values().collect()).collect()
}
