//! Who waits for whom in a region, and why.
//!
//! A region means what its nodes executed one after another mean, so of two nodes that conflict the one further down waits. Two
//! nodes conflict if they access common elements of a buffer and not both read them or both update them atomically; footprints
//! that are not proved disjoint count as overlapping. Nodes with effects keep their order, so do those that use one object alone,
//! nothing passes a fence, and `after` adds edges in the direction
//! that it says, which may point upwards: then it can close a cycle.
//!
//! Those are the [`constraints`]: what must be in order. The [`dependences`] are the edges that are there: in an `#[explicit]` graph only
//! those of `after`, and [a rule](crate::rules) sees to it that they order all that must be in order.
//!
//! Not all conflicting pairs are returned but edges with the same transitive closure; near-linear in the number of accesses.

use std::collections::{BTreeMap, HashSet};

use super::effects::{accesses, event, exclusive_objects, fence, has_effects};
use super::phases::{Entry, History};
use crate::model::{Access, Buffer, BufferId, Family, Mode, Node, NodeId, ObjectId, Place, Program, RegionId, Verdict};

/// Which of the two accesses reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HazardKind {
    /// The later one needs what the earlier one wrote.
    ReadAfterWrite,
    /// The later one replaces what the earlier one wrote.
    WriteAfterWrite,
    /// The later one replaces what the earlier one reads.
    WriteAfterRead,
}

impl HazardKind {
    /// The hazard between two modes that conflict.
    pub fn between(from: Mode, to: Mode) -> Self {
        match (from.writes(), to.reads()) {
            (true, true) => Self::ReadAfterWrite,
            (true, false) => Self::WriteAfterWrite,
            (false, _) => Self::WriteAfterRead,
        }
    }

    /// `RAW`, `WAW`, `WAR`.
    pub fn short(self) -> &'static str {
        match self {
            Self::ReadAfterWrite => "RAW",
            Self::WriteAfterWrite => "WAW",
            Self::WriteAfterRead => "WAR",
        }
    }
}

/// Why a node waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Both access a buffer, and one writes.
    Hazard {
        /// Which of them reads.
        kind: HazardKind,
        /// The buffer.
        buffer: BufferId,
        /// The earlier access.
        from: Place,
        /// The later access.
        to: Place,
    },
    /// The user asked for it.
    After {
        /// The label behind `after`.
        place: Place,
    },
    /// Both have effects.
    Effects,
    /// Both use an object alone.
    Object {
        /// Which.
        object: ObjectId,
    },
    /// One of them is a `record` or a `wait`.
    Fence {
        /// That one.
        place: Place,
    },
    /// Nothing in the block: they are on one [lane](crate::optimize::lanes). Only plans have such edges.
    Lane {
        /// Which.
        lane: u32,
    },
}

impl Reason {
    /// Data before effects before `after`; of the hazards the flow of data first.
    fn rank(&self) -> (u8, Option<HazardKind>) {
        match self {
            Self::Hazard { kind, .. } => (0, Some(*kind)),
            Self::Effects => (1, None),
            Self::Object { .. } => (2, None),
            Self::Fence { .. } => (3, None),
            Self::After { .. } => (4, None),
            Self::Lane { .. } => (5, None),
        }
    }
}

/// `to` waits for `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Runs first.
    pub from: NodeId,
    /// Runs behind it.
    pub to: NodeId,
    /// The strongest reason; [`reasons`] gives all.
    pub reason: Reason,
}

/// The edges of each live region.
pub type Edges = BTreeMap<RegionId, Vec<Edge>>;

/// The edges of every live region.
pub fn dependences_of_all(program: &Program) -> Edges {
    program.live_regions().into_iter().map(|region| (region, dependences(program, region))).collect()
}

/// The edges of a region, one per pair of nodes, sorted by `to` in text order and then by `from`.
pub fn dependences(program: &Program, region: RegionId) -> Vec<Edge> {
    let mut edges = constraints(program, region);
    if program.has_explicit() {
        edges.retain_mut(|edge| {
            if !program.is_given(edge.from, edge.to) {
                return true;
            }
            let after = program.node(edge.to).after.iter().find(|after| after.target == edge.from);
            edge.reason = after.map_or(edge.reason, |after| Reason::After { place: after.place });
            after.is_some()
        });
    }
    edges
}

/// What must be in order in a region whatever makes the edges, and what `after` asks for beside it; as [`dependences`].
pub fn constraints(program: &Program, region: RegionId) -> Vec<Edge> {
    let nodes = &program.region(region).nodes;
    let mut histories = Histories::of(program, nodes);
    let mut last_effect = None;
    let mut objects = ObjectUses::default();
    let mut waits = Waits::default();
    let mut edges = Vec::new();
    for &node in nodes {
        histories.advance(program, node, &mut waits);
        if has_effects(program, node)
            && let Some(earlier) = last_effect.replace(node)
        {
            waits.add(earlier, Reason::Effects);
        }
        objects.advance(program, node, &mut waits);
        for after in &program.node(node).after {
            if program.node(after.target).region == region {
                waits.add(after.target, Reason::After { place: after.place });
            }
        }
        edges.extend(waits.strongest().map(|(from, reason)| Edge { from, to: node, reason }));
    }
    edges
}

/// What one node waits for.
#[derive(Default)]
struct Waits(Vec<(NodeId, Reason)>);

impl Waits {
    fn add(&mut self, from: NodeId, reason: Reason) {
        self.0.push((from, reason));
    }

    /// Each node once, with the strongest reason; none are left for the next node.
    fn strongest(&mut self) -> impl Iterator<Item = (NodeId, Reason)> + '_ {
        if self.0.len() > 1 {
            self.0.sort_by_key(|(from, reason)| (*from, reason.rank()));
            self.0.dedup_by_key(|(from, _)| *from);
        }
        self.0.drain(..)
    }
}

/// Who has used each object, and what has run since the last fence.
#[derive(Default)]
struct ObjectUses {
    last: BTreeMap<ObjectId, NodeId>,
    /// That, and where it is written.
    fence: Option<(NodeId, Place)>,
    since: Vec<NodeId>,
}

impl ObjectUses {
    fn advance(&mut self, program: &Program, node: NodeId, waits: &mut Waits) {
        if program.objects.is_empty() {
            return;
        }
        for object in exclusive_objects(program, node) {
            if let Some(earlier) = self.last.insert(object, node) {
                waits.add(earlier, Reason::Object { object });
            }
        }
        if let Some((fence, place)) = self.fence {
            waits.add(fence, Reason::Fence { place });
        }
        if let Some(fence) = fence(program, node) {
            let place = fence.place;
            self.since.drain(..).for_each(|earlier| waits.add(earlier, Reason::Fence { place }));
            self.fence = Some((node, place));
        } else {
            self.since.push(node);
        }
    }
}

/// The histories of all buffers that the region accesses.
struct Histories {
    by_buffer: Vec<Option<History>>,
    /// By buffer id: the list in whose history a buffer is, since others of it may be the same; else itself.
    home: Vec<BufferId>,
}

impl Histories {
    fn of(program: &Program, nodes: &[NodeId]) -> Self {
        let count = program.buffers.len();
        // By buffer id: whether all its footprints start at numbers, if it is accessed.
        let mut known: Vec<Option<bool>> = vec![None; count];
        // Lists that are named whole, or of which a member is named by an index that is no literal: it may be any of them.
        let mut loose = vec![false; count];
        for node in nodes {
            for access in &*accesses(program, *node) {
                let numbers = access.footprint.ranges().iter().all(|range| range.start.known().is_some());
                *known[access.buffer.0 as usize].get_or_insert(true) &= numbers;
                match program.buffer(access.buffer).family {
                    Family::Member { list, literal: false, .. } => loose[list.0 as usize] = true,
                    Family::List => loose[access.buffer.0 as usize] = true,
                    Family::Single | Family::Member { .. } => {}
                }
            }
        }
        let list = |buffer: BufferId| Some(program.family(buffer)).filter(|list| loose[list.0 as usize]);
        let home: Vec<_> = program.buffer_ids().map(|buffer| list(buffer).unwrap_or(buffer)).collect();
        let mut numbers = vec![None; count];
        for (home, known) in home.iter().zip(known) {
            if let Some(known) = known {
                *numbers[home.0 as usize].get_or_insert(true) &= known;
            }
        }
        let history = |(known, buffer): (Option<bool>, &Buffer)| known.map(|known| History::new(&buffer.shape, known));
        let by_buffer = numbers.into_iter().zip(&program.buffers).map(history).collect();
        Self { by_buffer, home }
    }

    fn index(&self, buffer: BufferId) -> usize {
        self.home[buffer.0 as usize].0 as usize
    }

    fn advance(&mut self, program: &Program, node: NodeId, waits: &mut Waits) {
        let accesses = accesses(program, node);
        for access in &*accesses {
            if let Some(history) = &self.by_buffer[self.index(access.buffer)] {
                history.conflicts(access, |entry| waits.add(entry.node, hazard(program, entry, node, access)));
            }
        }
        for access in &*accesses {
            let index = self.index(access.buffer);
            if let Some(history) = &mut self.by_buffer[index] {
                history.add(node, access);
            }
        }
    }
}

fn hazard(program: &Program, from: Entry, node: NodeId, to: &Access) -> Reason {
    if let Some(fence) = fence_of(program, (from.node, from.place), (node, to.place)) {
        return fence;
    }
    let kind = HazardKind::between(from.mode, to.mode);
    Reason::Hazard { kind, buffer: to.buffer, from: from.place, to: to.place }
}

/// If one of two accesses is that of a `record` or a `wait`.
fn fence_of(program: &Program, from: (NodeId, Place), to: (NodeId, Place)) -> Option<Reason> {
    if program.objects.is_empty() {
        return None;
    }
    let named = |place: Place| move |node: &Node| node.accesses.iter().any(|access| access.place == place);
    let event = [to, from].into_iter().find_map(|(node, place)| event(program, node, &named(place)))?;
    Some(Reason::Fence { place: event.place })
}

/// Every reason why `to` waits for `from` directly, the strongest first, one for each kind of hazard and buffer.
///
/// Costs the product of the two nodes' accesses. Both are nodes of one region, `from` the upper one unless an `after` says otherwise.
pub fn reasons(program: &Program, from: NodeId, to: NodeId) -> Vec<Reason> {
    let upwards = is_upwards(program, from, to);
    let mut found = if upwards { Vec::new() } else { hazards(program, from, to) };
    if !upwards && has_effects(program, from) && has_effects(program, to) {
        found.push(Reason::Effects);
    }
    if !upwards {
        found.extend(by_object(program, from, to));
    }
    let explicit = program.node(to).after.iter().filter(|after| after.target == from);
    found.extend(explicit.map(|after| Reason::After { place: after.place }));
    found
}

fn by_object(program: &Program, from: NodeId, to: NodeId) -> Vec<Reason> {
    if program.objects.is_empty() {
        return Vec::new();
    }
    let later = exclusive_objects(program, to);
    let shared = exclusive_objects(program, from).into_iter().filter(|object| later.contains(object));
    let fence = [to, from].into_iter().find_map(|node| fence(program, node));
    let fence = fence.map(|node| Reason::Fence { place: node.place });
    shared.map(|object| Reason::Object { object }).chain(fence).collect()
}

fn is_upwards(program: &Program, from: NodeId, to: NodeId) -> bool {
    let nodes = &program.region(program.node(from).region).nodes;
    nodes.iter().find(|node| **node == from || **node == to) == Some(&to)
}

fn hazards(program: &Program, from: NodeId, to: NodeId) -> Vec<Reason> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for earlier in &*accesses(program, from) {
        for later in &*accesses(program, to) {
            let kind = HazardKind::between(earlier.mode, later.mode);
            let conflict = program.same_buffer(earlier.buffer, later.buffer) != Verdict::Refuted
                && earlier.mode.conflicts_with(later.mode)
                && earlier.footprint.disjoint(&later.footprint) != Verdict::Proved;
            if conflict && let Some(fence) = fence_of(program, (from, earlier.place), (to, later.place)) {
                return vec![fence];
            }
            if conflict && seen.insert((kind, later.buffer)) {
                found.push(Reason::Hazard { kind, buffer: later.buffer, from: earlier.place, to: later.place });
            }
        }
    }
    found.sort_by_key(Reason::rank);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Builder, atomic, number, overwrite, read, update};

    fn pairs(program: &Program) -> Vec<(u32, u32)> {
        dependences(program, RegionId::GRAPH).iter().map(|edge| (edge.from.0, edge.to.0)).collect()
    }

    #[test]
    fn reads_and_atomic_updates_are_free_among_themselves() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        block.kernel("w", &[overwrite(x)]);
        block.kernel("r1", &[read(x)]);
        block.kernel("r2", &[read(x)]);
        block.kernel("a1", &[atomic(x)]);
        block.kernel("a2", &[atomic(x)]);
        block.kernel("u", &[update(x)]);
        let expected = [(0, 1), (0, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 5), (4, 5)];
        assert_eq!(pairs(&block.finish()), expected);
    }

    #[test]
    fn ranges_that_do_not_touch_are_free() {
        let mut block = Builder::new("g");
        let n = block.symbol("n");
        let k = block.symbol("k");
        let x = block.parameter("x", Mode::Update, n);
        let y = block.parameter("y", Mode::Update, number(8));
        block.kernel("low", &[update(x).between(number(0), k), update(y).range(0, 4)]);
        block.kernel("high", &[update(x).between(k, n), update(y).range(4, 8)]);
        block.kernel("all", &[read(x), read(y).range(3, 5)]);
        assert_eq!(pairs(&block.finish()), [(0, 2), (1, 2)]);
    }

    #[test]
    fn effects_and_after_are_kept_with_their_direction() {
        let mut block = Builder::new("g");
        let first = block.kernel("first", &[]);
        let second = block.kernel("second", &[]);
        let third = block.kernel("third", &[]);
        block.effects(first);
        block.effects(third);
        block.after(second, third);
        let program = block.finish();
        let edges = dependences(&program, RegionId::GRAPH);
        assert_eq!(pairs(&program), [(2, 1), (0, 2)]);
        assert!(matches!(edges[0].reason, Reason::After { .. }));
        assert_eq!(edges[1].reason, Reason::Effects);
        assert!(matches!(reasons(&program, third, second)[..], [Reason::After { .. }]));
    }

    #[test]
    fn the_flow_of_data_is_the_strongest_reason_and_all_are_listed() {
        let mut block = Builder::new("g");
        let x = block.parameter("x", Mode::Update, number(8));
        let y = block.parameter("y", Mode::Update, number(8));
        let first = block.kernel("first", &[read(x), overwrite(y)]);
        let second = block.kernel("second", &[overwrite(x), read(y)]);
        block.after(second, first);
        let program = block.finish();
        let edges = dependences(&program, RegionId::GRAPH);
        let [Edge { reason: Reason::Hazard { kind, buffer, .. }, .. }] = edges[..] else {
            panic!("one edge expected: {edges:?}")
        };
        assert_eq!((kind, buffer), (HazardKind::ReadAfterWrite, y));
        assert_eq!(reasons(&program, first, second).len(), 3);
    }
}
