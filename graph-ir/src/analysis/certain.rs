//! Which orders are there whatever the values are: the build finds them too.
//!
//! A dependence of the symbolic program may be an over-approximation: footprints count as overlapping until they are proved disjoint, an
//! arm of a host `if` may not be taken, a `for` may make no pass, of a graph inside the graph only the modes are known. What is certain is
//! an edge between two nodes that stay what they are, of which both surely touch an element of one buffer. Ranges of equal expressions are
//! taken to hold an element: where they hold none, nothing of the two has to be in order.

use super::effects::is_fence;
use super::{Edge, HazardKind, Reason, dependences, reasons};
use crate::model::{
    Access, BufferId, Compute, Expression, Footprint, Node, NodeId, NodeKind, Program, RegionId, Statement, Verdict,
};

/// The dependences of a region that are certain, each with its strongest certain reason.
pub fn certain(program: &Program, region: RegionId) -> Vec<Edge> {
    dependences(program, region).into_iter().filter_map(|edge| surely(program, edge)).collect()
}

/// The edge with its strongest certain reason, if one is certain.
pub fn surely(program: &Program, edge: Edge) -> Option<Edge> {
    if !is_settled(program, edge.from) || !is_settled(program, edge.to) {
        return None;
    }
    if matches!(edge.reason, Reason::After { .. }) {
        return Some(edge);
    }
    let mut found = reasons(program, edge.from, edge.to).into_iter();
    let reason = found.find_map(|reason| confirm(program, edge.from, edge.to, reason))?;
    Some(Edge { reason, ..edge })
}

/// Whether the edge is there for every value, if nodes touch all that they name: not one between ranges that may turn out disjoint, nor
/// between two of a list that may turn out to be different buffers, nor with what the host may leave out.
pub(crate) fn is_fixed(program: &Program, edge: &Edge) -> bool {
    let meet = |buffer: BufferId, kind: HazardKind| {
        let second: Vec<_> = uses(program, edge.to).into_iter().filter(|used| used.1.buffer == buffer).collect();
        uses(program, edge.from).iter().any(|one| {
            let alike = |other: &&Use<'_>| HazardKind::between(one.1.mode, other.1.mode) == kind;
            second
                .iter()
                .filter(alike)
                .any(|other| one.1.mode.conflicts_with(other.1.mode) && name_alike(program, one, other))
        })
    };
    let stay = ![edge.from, edge.to].into_iter().any(|node| holds(program, node, &is_decided));
    reasons(program, edge.from, edge.to).into_iter().any(|reason| match reason {
        Reason::After { .. } => true,
        Reason::Hazard { kind, buffer, .. } => stay && meet(buffer, kind),
        Reason::Effects | Reason::Object { .. } => stay,
        Reason::Fence { .. } => stay && is_fence_of(program, (edge.from, edge.to), name_alike),
        Reason::Lane { .. } => false,
    })
}

/// Whether the node is in the built graph as it is in the text, with all that is in it.
pub fn is_settled(program: &Program, node: NodeId) -> bool {
    !holds(program, node, &|kind| is_decided(kind) || matches!(kind, NodeKind::Graph(_)))
}

/// Whether the host decides what of it is there.
fn is_decided(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::HostIf { .. } | NodeKind::HostMatch { .. } | NodeKind::For { .. })
}

/// Whether the node, or one in it, is such.
fn holds(program: &Program, node: NodeId, such: &dyn Fn(&NodeKind) -> bool) -> bool {
    let kind = &program.node(node).kind;
    let inside = |body: RegionId| program.region(body).nodes.iter().any(|node| holds(program, *node, such));
    such(kind) || kind.bodies().into_iter().any(inside)
}

/// The reason, if it is there for every value: a hazard with the accesses that surely meet.
fn confirm(program: &Program, from: NodeId, to: NodeId, reason: Reason) -> Option<Reason> {
    match reason {
        Reason::After { .. } | Reason::Effects | Reason::Object { .. } => Some(reason),
        Reason::Fence { .. } => is_fence_of(program, (from, to), surely_meet).then_some(reason),
        Reason::Lane { .. } => None,
        Reason::Hazard { kind, buffer, .. } => {
            let second: Vec<_> = uses(program, to).into_iter().filter(|used| used.1.buffer == buffer).collect();
            let pairs = uses(program, from).into_iter().flat_map(|one| second.iter().map(move |other| (one, *other)));
            let alike = |(one, other): &(Use<'_>, Use<'_>)| HazardKind::between(one.1.mode, other.1.mode) == kind;
            let (one, other) = pairs.filter(alike).find(|(one, other)| surely_conflict(program, one, other))?;
            Some(Reason::Hazard { kind, buffer, from: one.1.place, to: other.1.place })
        }
    }
}

/// A fence that names buffers is one for those only: what it names itself must surely meet what the other one touches.
fn is_fence_of(
    program: &Program,
    (from, to): (NodeId, NodeId),
    meet: fn(&Program, &Use<'_>, &Use<'_>) -> bool,
) -> bool {
    if [from, to].into_iter().any(|node| is_fence(program, node)) {
        return true;
    }
    let second = uses(program, to);
    let of_fence = |used: &Use<'_>| used.0.kind.event().is_some();
    let fences = |one: &Use<'_>, other: &Use<'_>| (of_fence(one) || of_fence(other)) && meet(program, one, other);
    uses(program, from).iter().any(|one| second.iter().any(|other| fences(one, other)))
}

/// An access with the node that names it.
type Use<'p> = (&'p Node, &'p Access);

/// The accesses of a node and of those in its bodies.
fn uses(program: &Program, node: NodeId) -> Vec<Use<'_>> {
    let node = program.node(node);
    let mut found: Vec<_> = node.accesses.iter().map(|access| (node, access)).collect();
    for body in node.kind.bodies() {
        found.extend(program.region(body).nodes.iter().flat_map(|node| uses(program, *node)));
    }
    found
}

fn surely_conflict(program: &Program, one: &Use<'_>, other: &Use<'_>) -> bool {
    one.1.mode.conflicts_with(other.1.mode) && surely_meet(program, one, other)
}

/// Whether both surely touch an element of one buffer.
fn surely_meet(program: &Program, one: &Use<'_>, other: &Use<'_>) -> bool {
    let same = program.same_buffer(one.1.buffer, other.1.buffer) == Verdict::Proved;
    let (first, second) = (touches(one), touches(other));
    let (a, b) = (&one.1.footprint, &other.1.footprint);
    match (first, second) {
        (Touches::All, Touches::All) => name_alike(program, one, other),
        (Touches::Unknown, _) | (_, Touches::Unknown) => false,
        _ => same && (a == b || begin_alike(a, b)),
    }
}

/// Whether both surely name an element of one buffer.
fn name_alike(program: &Program, one: &Use<'_>, other: &Use<'_>) -> bool {
    let same = program.same_buffer(one.1.buffer, other.1.buffer) == Verdict::Proved;
    let (a, b) = (&one.1.footprint, &other.1.footprint);
    same && (a == b || a.disjoint(b) == Verdict::Refuted || begin_alike(a, b))
}

/// What a node does with the elements of an access.
#[derive(Clone, Copy)]
enum Touches {
    /// All of them, or as if it were all.
    All,
    /// The first ones: the kernel's declaration says at build how many.
    First,
    Unknown,
}

fn touches((node, access): &Use<'_>) -> Touches {
    match &node.kind {
        NodeKind::Kernel(_) => Touches::First,
        NodeKind::Compute(compute) if access.ranged && is_straight(compute) => Touches::All,
        NodeKind::Compute(_) => Touches::Unknown,
        _ => Touches::All,
    }
}

/// Whether each index runs the whole body: what it touches is then what the symbolic footprint says.
fn is_straight(compute: &Compute) -> bool {
    let mut straight = compute.body.iter().all(|statement| {
        matches!(statement, Statement::Let { .. } | Statement::Assign { .. } | Statement::Store { .. })
    });
    compute.walk(&mut |part| straight &= !matches!(part, Expression::Select { .. }));
    straight
}

/// Whether both boxes have elements, and the same first one.
fn begin_alike(one: &Footprint, other: &Footprint) -> bool {
    let alike =
        one.ranges().iter().zip(other.ranges()).all(|(one, other)| one.start.equals(other.start) == Verdict::Proved);
    let filled = |footprint: &Footprint| footprint.ranges().iter().all(|range| range.is_empty() == Verdict::Refuted);
    one.ranges().len() == other.ranges().len() && alike && filled(one) && filled(other)
}
