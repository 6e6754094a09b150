//! Fills and copies of neighbouring parts that one node can do.
//!
//! ```text
//! fill(&out x[..k], 0.0);                  // one fill of `x`
//! fill(&out x[k..], 0.0);
//! ```
//!
//! Two are one if they write parts of one buffer that make up a box, with the same value or from parts of one buffer that make up a box
//! too, element by element in the same order; and if they wait for the same nodes and the same nodes wait for them. So none waits for
//! anything that it has not waited for before. What can be switched off stays by itself.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Edge;
use crate::model::{Access, BufferId, Footprint, Node, NodeId, NodeKind, Program, Range, Strided, Verdict};

/// Nodes that one of them does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The first of them, which stays.
    pub into: NodeId,
    /// The others, in order.
    pub nodes: Vec<NodeId>,
    /// By access of the one that stays: what it touches now.
    pub footprints: Vec<Footprint>,
}

/// What to merge in a region, from a topological order and its edges. `alike`: fills with equal ones write the same, whatever they are
/// launched with; what has none stays by itself.
pub fn merging<K: Ord>(
    program: &Program,
    order: &[NodeId],
    edges: &[Edge],
    alike: &dyn Fn(NodeId) -> Option<K>,
) -> Vec<Merged> {
    let mut groups: BTreeMap<(Vec<BufferId>, K), Vec<NodeId>> = BTreeMap::new();
    for node in order {
        if let (Some(accesses), true) = (moved(program.node(*node)), is_part(program, *node))
            && let Some(key) = alike(*node)
        {
            groups.entry((accesses.iter().map(|access| access.buffer).collect(), key)).or_default().push(*node);
        }
    }
    groups.retain(|_, nodes| nodes.len() > 1);
    if groups.is_empty() {
        return Vec::new();
    }
    let around = Around::of(groups.values().flatten(), edges);
    let together = groups.into_values().flat_map(|nodes| around.apart(nodes));
    let mut merged: Vec<_> = together.flat_map(|nodes| pieces(program, nodes)).collect();
    merged.sort_by_key(|merged| merged.into);
    merged
}

impl Merged {
    /// Takes what others do into one, and the others out of an order and its edges.
    pub fn drop_from(merged: &[Self], order: &mut Vec<NodeId>, edges: &mut Vec<Edge>) {
        if merged.is_empty() {
            return;
        }
        let gone: FxHashSet<NodeId> = merged.iter().flat_map(|merged| &merged.nodes).copied().collect();
        order.retain(|node| !gone.contains(node));
        edges.retain(|edge| !gone.contains(&edge.from) && !gone.contains(&edge.to));
    }

    /// Lets the one that stays touch what all of them touch.
    pub fn widen(&self, program: &mut Program) {
        let accesses = &mut program.nodes[self.into.0 as usize].accesses;
        accesses.iter_mut().zip(&self.footprints).for_each(|(access, footprint)| access.footprint = *footprint);
    }
}

/// What a fill writes; what a copy reads, and writes.
fn moved(node: &Node) -> Option<&[Access]> {
    let count = match node.kind {
        NodeKind::Fill { .. } => 1,
        NodeKind::Copy => 2,
        _ => return None,
    };
    (!node.optional && !node.effects).then(|| node.accesses.get(..count)).flatten()
}

/// Whether it touches parts of buffers, and any of them.
fn is_part(program: &Program, node: NodeId) -> bool {
    let of = |access: &Access| {
        access.footprint.ranges().len() == program.buffer(access.buffer).shape.rank()
            && access.footprint.is_empty() == Verdict::Refuted
    };
    let accesses = &program.node(node).accesses;
    accesses.iter().all(of) && accesses.iter().any(|access| access.ranged)
}

/// What some nodes wait for, and who waits for them.
struct Around(FxHashMap<NodeId, [Vec<NodeId>; 2]>);

impl Around {
    fn of<'n>(nodes: impl Iterator<Item = &'n NodeId>, edges: &[Edge]) -> Self {
        let mut around: FxHashMap<NodeId, [Vec<NodeId>; 2]> = nodes.map(|node| (*node, Default::default())).collect();
        for edge in edges {
            if let Some([before, _]) = around.get_mut(&edge.to) {
                before.push(edge.from);
            }
            if let Some([_, behind]) = around.get_mut(&edge.from) {
                behind.push(edge.to);
            }
        }
        around.values_mut().flatten().for_each(|nodes| nodes.sort_unstable());
        Self(around)
    }

    /// Those that have the same around them.
    fn apart(&self, nodes: Vec<NodeId>) -> Vec<Vec<NodeId>> {
        let mut apart: BTreeMap<Option<&[Vec<NodeId>; 2]>, Vec<NodeId>> = BTreeMap::new();
        for node in nodes {
            apart.entry(self.0.get(&node)).or_default().push(node);
        }
        apart.into_values().filter(|nodes| nodes.len() > 1).collect()
    }
}

/// What one node does.
struct Piece {
    nodes: Vec<NodeId>,
    /// By access: the last is written.
    sides: Vec<Footprint>,
}

/// Puts together what makes up boxes: along each dimension of what is written, the innermost first.
fn pieces(program: &Program, nodes: Vec<NodeId>) -> Vec<Merged> {
    let Some(first) = nodes.first().and_then(|node| moved(program.node(*node))) else { return Vec::new() };
    let shapes: Vec<_> = first.iter().map(|access| program.buffer(access.buffer).shape).collect();
    let rank = shapes.last().map_or(1, crate::model::Shape::rank);
    let piece = |node: NodeId| {
        let sides = moved(program.node(node)).into_iter().flatten().map(|access| access.footprint).collect();
        Piece { nodes: vec![node], sides }
    };
    let mut pieces: Vec<Piece> = nodes.into_iter().map(piece).collect();
    for axis in (0..rank).rev() {
        pieces.sort_by_key(|piece| place(piece, axis));
        let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let sides = joined.last().and_then(|last| join(last, &piece, axis));
            let fits = |sides: &Vec<Footprint>| {
                let [from, to] = &sides[..] else { return true };
                let strided = Strided::of(from, &shapes[0]).zip(Strided::of(to, &shapes[1]));
                strided.is_some_and(|(from, to)| from.together(&to).is_some())
            };
            match (joined.last_mut(), sides.filter(fits)) {
                (Some(last), Some(sides)) => {
                    last.sides = sides;
                    last.nodes.extend(piece.nodes);
                }
                _ => joined.push(piece),
            }
        }
        pieces = joined;
    }
    pieces.into_iter().filter_map(Piece::merged).collect()
}

impl Piece {
    fn merged(mut self) -> Option<Merged> {
        self.nodes.sort_unstable();
        let (into, others) = self.nodes.split_first()?;
        (!others.is_empty()).then(|| Merged { into: *into, nodes: others.to_vec(), footprints: self.sides.clone() })
    }
}

/// Where a piece is written in the other dimensions, then along one.
fn place(piece: &Piece, axis: usize) -> Vec<Option<(u64, u64)>> {
    let ranges = piece.sides.last().map_or(&[][..], Footprint::ranges);
    let others = ranges.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, range)| range.numbers());
    others.chain(ranges.get(axis).map(|range| range.numbers())).collect()
}

/// Both pieces as one, if the second goes on where the first ends.
fn join(one: &Piece, other: &Piece, axis: usize) -> Option<Vec<Footprint>> {
    let pairs = || one.sides.iter().zip(&other.sides);
    let axes: Vec<usize> = pairs().map(|(one, other)| continues(one, other)).collect::<Option<_>>()?;
    let in_order = match (&one.sides[..], &other.sides[..], &axes[..]) {
        ([_], [_], [to]) => *to == axis,
        ([from, to], [next_from, next_to], [along_from, along]) => {
            let behind = is_outermost(from, *along_from) && is_outermost(to, *along);
            let alike = along_from == along && lengths(from) == lengths(to) && lengths(next_from) == lengths(next_to);
            *along == axis && (behind || alike)
        }
        _ => false,
    };
    in_order.then(|| pairs().zip(axes).map(|((one, other), axis)| united(one, other, axis)).collect())
}

/// The only dimension in which two boxes differ, if the second begins there where the first ends.
fn continues(one: &Footprint, other: &Footprint) -> Option<usize> {
    if one.ranges().len() != other.ranges().len() {
        return None;
    }
    let mut differ = one.ranges().iter().zip(other.ranges()).enumerate().filter(|(_, (one, other))| one != other);
    let (axis, (one, other)) = differ.next()?;
    (differ.next().is_none() && one.end.known()? == other.start.known()?).then_some(axis)
}

/// Whether a box has one index in each dimension around this one, so that what comes behind it there comes behind all of it.
fn is_outermost(footprint: &Footprint, axis: usize) -> bool {
    footprint.ranges()[..axis].iter().all(|range| range.length() == Some(1))
}

fn lengths(footprint: &Footprint) -> Vec<Option<u64>> {
    footprint.ranges().iter().map(|range| range.length()).collect()
}

fn united(one: &Footprint, other: &Footprint, axis: usize) -> Footprint {
    let mut ranges: Vec<Range> = one.ranges().to_vec();
    ranges[axis].end = other.ranges()[axis].end;
    Footprint::new(&ranges)
}

#[cfg(test)]
mod tests;
