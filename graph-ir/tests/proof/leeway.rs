//! Where an answer may differ from what can happen, each with its reason.

use std::collections::BTreeSet;

use graph_ir::code::Code;
use graph_ir::finding::Finding;
use graph_ir::model::{Access, Extent, Node, NodeKind, Place, Program, Range};

use crate::judge::never_runs;
use crate::unfold::{Item, Region, Unfolded};

/// Why a graph may be refused although nothing bad can happen with these values.
pub(crate) fn of_a_refusal(unfolded: &Unfolded, finding: &Finding) -> Option<&'static str> {
    if any(&unfolded.graph, &never_runs) {
        return Some("a body with a fault that never runs: `limit` came out as 0");
    }
    if finding.code == Code::COPY_LENGTH {
        return Some("a copy between boxes of the same number of elements, neither in one piece");
    }
    None
}

fn any(region: &Region, holds: &dyn Fn(&Item) -> bool) -> bool {
    let inside = |item: &Item| crate::judge::bodies(item).into_iter().any(|(_, body)| any(body, holds));
    region.items.iter().any(|item| holds(item) || inside(item))
}

/// Why what is refuted for every value is not refused with these.
pub(crate) fn of_a_refutation(written: &Program, concrete: &Program, finding: &Finding) -> Option<&'static str> {
    if !is_live(written, concrete, finding) {
        return Some("the host leaves the statement out");
    }
    let number = |extent: Extent| extent.known().unwrap_or(0);
    if has(written, concrete, finding, &|range, _| number(range.start) >= number(range.end)) {
        return Some("a range came out empty, or runs backwards");
    }
    if has(written, concrete, finding, &|range, size| number(range.end) > number(size)) {
        return Some("the range leaves its buffer, which is said instead");
    }
    None
}

/// What a finding is about: the node, or the buffer's declaration for findings about contents. Buffers that a `for` exchanges stand for
/// each other: with expressions a name is said, with numbers the buffer that it means by then. All cycles are one: fewer statements may wait
/// for each other with numbers, and another of their `after`s is named.
pub(crate) fn subject(written: &Program, program: &Program, finding: &Finding) -> u32 {
    if program.has_explicit() && [Code::UNORDERED, Code::CYCLE].contains(&finding.code) {
        // Of pairs that follow from each other it depends on the numbers which are told.
        return u32::MAX;
    }
    let contents = [Code::UNINITIALISED, Code::MAYBE_UNINITIALISED];
    if contents.contains(&finding.code) {
        return finding.notes[0].place.map_or(u32::MAX, |place| first_of_exchanged(written, place).0);
    }
    if finding.code == Code::CYCLE {
        return u32::MAX;
    }
    owner(program, finding.place).map_or(finding.place, |node| node.place).0
}

/// The place of the first buffer that the one declared here may be exchanged with, if only by way of others.
fn first_of_exchanged(written: &Program, declared: Place) -> Place {
    let pairs = |node: &Node| if let NodeKind::For { swapped, .. } = &node.kind { swapped.clone() } else { Vec::new() };
    let places = |(one, other)| [one, other].map(|buffer| written.buffer(buffer).place);
    let pairs: Vec<[Place; 2]> = written.nodes.iter().flat_map(pairs).map(places).collect();
    let mut known = BTreeSet::from([declared]);
    for _ in 0..pairs.len() {
        let touched = pairs.iter().filter(|pair| pair.iter().any(|place| known.contains(place)));
        known.extend(touched.flatten().copied().collect::<Vec<_>>());
    }
    known.first().copied().unwrap_or(declared)
}

/// The node that a place belongs to.
fn owner(program: &Program, place: Place) -> Option<&Node> {
    program.nodes.iter().find(|node| {
        let head = if let NodeKind::Loop(head) = &node.kind { Some(head.place) } else { None };
        let mut places = node.accesses.iter().map(|access| access.place);
        let mut afters = node.after.iter().map(|after| after.place);
        let own = [Some(node.place), head, node.kind.test().map(|test| test.place)];
        own.contains(&Some(place)) || places.any(|other| other == place) || afters.any(|other| other == place)
    })
}

/// The nodes of the concrete program that come from the one that a finding names.
fn instances<'c>(written: &'c Program, concrete: &'c Program, finding: &Finding) -> Vec<&'c Node> {
    let Some(owner) = owner(written, finding.place) else { return Vec::new() };
    let live = concrete.live_regions();
    let nodes = live.iter().flat_map(|region| &concrete.region(*region).nodes).map(|node| concrete.node(*node));
    nodes.filter(|node| node.place == owner.place).collect()
}

fn is_live(written: &Program, concrete: &Program, finding: &Finding) -> bool {
    owner(written, finding.place).is_none() || !instances(written, concrete, finding).is_empty()
}

/// Whether one of the node's ranges is such.
fn has(written: &Program, concrete: &Program, finding: &Finding, such: &dyn Fn(&Range, Extent) -> bool) -> bool {
    let touches = |access: &Access| {
        let sizes = concrete.buffer(access.buffer).shape;
        access.footprint.ranges().iter().zip(sizes.sizes()).any(|(range, size)| such(range, *size))
    };
    instances(written, concrete, finding).iter().any(|node| node.accesses.iter().any(touches))
}
