//! What the definitions say, worked out the slow way: all pairs, all elements.

use std::collections::BTreeSet;

use graph_ir::concrete::SymbolValue;
use graph_ir::model::{Access, Extent, Footprint, Mode, Node, NodeId, Program, Range, RegionId, SymbolId};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub(crate) type Pairs = BTreeSet<(u32, u32)>;

pub(crate) fn closure(mut pairs: Pairs) -> Pairs {
    loop {
        let next: Pairs = pairs
            .iter()
            .flat_map(|&(a, b)| pairs.iter().filter(move |(from, _)| *from == b).map(move |&(_, c)| (a, c)))
            .collect();
        let before = pairs.len();
        pairs.extend(next);
        if pairs.len() == before {
            return pairs;
        }
    }
}

pub(crate) fn known(extent: Extent) -> u64 {
    extent.known().expect("a concrete program")
}

/// Every element of a box, as one number each: no index is as large as 16.
pub(crate) fn elements_of(footprint: &Footprint) -> Vec<u64> {
    let along = |outer: Vec<u64>, range: &Range| {
        let indices = known(range.start)..known(range.end);
        outer.iter().flat_map(|outer| indices.clone().map(move |index| outer * 16 + index)).collect()
    };
    footprint.ranges().iter().fold(vec![0], along)
}

/// Every element that a node and its bodies touch, of buffers that outlive it.
pub(crate) fn elements(program: &Program, node: NodeId) -> Vec<(u32, u64, Mode)> {
    fn visit(program: &Program, node: NodeId, inside: &mut BTreeSet<RegionId>, all: &mut Vec<(u32, u64, Mode)>) {
        let node = program.node(node);
        for access in &node.accesses {
            let elements = elements_of(&access.footprint).into_iter();
            all.extend(elements.map(|element| (access.buffer.0, element, access.mode)));
        }
        for body in node.kind.bodies() {
            inside.insert(body);
            program.region(body).nodes.iter().for_each(|node| visit(program, *node, inside, all));
        }
    }
    let (mut inside, mut all) = (BTreeSet::new(), Vec::new());
    visit(program, node, &mut inside, &mut all);
    all.retain(|(buffer, ..)| !inside.contains(&program.buffers[*buffer as usize].region));
    all
}

fn effects(program: &Program, node: &Node) -> bool {
    let mut bodies = node.kind.bodies().into_iter();
    node.effects
        || bodies.any(|body| program.region(body).nodes.iter().any(|node| effects(program, program.node(*node))))
}

pub(crate) fn must_wait(program: &Program, region: RegionId) -> Pairs {
    let nodes = &program.region(region).nodes;
    let mut all = Pairs::new();
    for (index, &later) in nodes.iter().enumerate() {
        for &earlier in &nodes[..index] {
            let others = elements(program, earlier);
            let conflict = elements(program, later).iter().any(|(buffer, element, mode)| {
                let hit = |other: &(u32, u64, Mode)| {
                    (other.0, other.1) == (*buffer, *element)
                        && (other.2, *mode) != (Mode::Read, Mode::Read)
                        && (other.2, *mode) != (Mode::Atomic, Mode::Atomic)
                };
                others.iter().any(hit)
            });
            if conflict || (effects(program, program.node(earlier)) && effects(program, program.node(later))) {
                all.insert((earlier.0, later.0));
            }
        }
        all.extend(program.node(later).after.iter().map(|after| (after.target.0, later.0)));
    }
    all
}

pub(crate) fn value(program: &Program, values: [u64; 3], flag: bool) -> impl Fn(SymbolId) -> Option<SymbolValue> {
    move |symbol| match program.symbol(symbol).text.as_str() {
        "flag" => Some(SymbolValue::Flag(flag)),
        text => Some(SymbolValue::Extent(values[["n", "a", "b"].iter().position(|name| *name == text)?])),
    }
}

/// Every footprint has elements, and its buffer has them all.
pub(crate) fn is_full(program: &Program) -> bool {
    let full = |access: &Access| {
        let sizes = program.buffer(access.buffer).shape;
        let mut pairs = access.footprint.ranges().iter().zip(sizes.sizes());
        pairs.all(|(range, size)| known(range.start) < known(range.end) && known(range.end) <= known(*size))
    };
    let live = program.live_regions();
    let mut nodes = live.iter().flat_map(|region| &program.region(*region).nodes);
    nodes.all(|node| program.node(*node).accesses.iter().all(full))
}

pub(crate) fn config() -> ProptestConfig {
    ProptestConfig { cases: 150, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() }
}
