use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::analysis::{Edge, Reason, dependences, topological};
use crate::model::{LaunchAttributes, Mode, Place, Priority, RegionId};
use crate::optimize::{gates, reduce};
use crate::testing::{Builder, Use, number, read, update};

/// What a node of a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Generated,
    Waiting,
    /// It reads what it reads before it waits.
    Early,
    /// It waits before it lets anybody begin.
    First,
    /// Both: it reads, waits, and lets others begin then.
    EarlyFirst,
    /// Its launch asks for an overlap.
    Asked,
    Plain,
    Copy,
    Effects,
    Prior,
    When,
    /// May be switched off.
    Optional,
}

const KINDS: [Kind; 12] = [
    Kind::Generated,
    Kind::Waiting,
    Kind::Early,
    Kind::First,
    Kind::EarlyFirst,
    Kind::Asked,
    Kind::Plain,
    Kind::Copy,
    Kind::Effects,
    Kind::Prior,
    Kind::When,
    Kind::Optional,
];

/// One node: what it is, and which buffers it reads and updates.
#[derive(Clone, Copy, Debug)]
struct Part {
    kind: Kind,
    reads: usize,
    updates: usize,
}

#[derive(Debug)]
struct Case {
    program: Program,
    nodes: BTreeMap<NodeId, Kind>,
    edges: Vec<Edge>,
    order: Vec<NodeId>,
    fusion: Fusion,
    gates: Vec<Gate>,
}

/// An edge of the CUDA graph, and whether it is programmatic.
type Link = (NodeId, NodeId, bool);

const BUFFERS: usize = 4;

impl Case {
    fn of(parts: &[Part]) -> Self {
        let mut block = Builder::new("g");
        let buffers: Vec<BufferId> =
            (0..BUFFERS).map(|at| block.parameter(&format!("x{at}"), Mode::Update, number(1))).collect();
        let nodes = parts.iter().map(|part| (add(&mut block, *part, &buffers), part.kind)).collect();
        let program = block.finish();
        let edges = reduce(&program, RegionId::GRAPH, &dependences(&program, RegionId::GRAPH));
        Self::with(program, nodes, edges)
    }

    fn with(program: Program, nodes: BTreeMap<NodeId, Kind>, mut edges: Vec<Edge>) -> Self {
        edges.sort_by_key(|edge| (edge.to, edge.from));
        let order = topological(&program.region(RegionId::GRAPH).nodes, &edges).unwrap();
        let fusion = Fusion::default();
        let gates = gates(&order, &edges, &fusion);
        Self { program, nodes, edges, order, fusion, gates }
    }

    /// With generated nodes in the launch of the one in front of them in the text, where that is said and the two are generated.
    fn fused(mut self, joined: &[bool]) -> Self {
        let mut groups: Vec<Vec<NodeId>> = Vec::new();
        let mut open = false;
        for ((node, kind), joined) in self.nodes.iter().zip(joined) {
            let generated = *kind == Kind::Generated;
            match groups.last_mut() {
                Some(group) if open && generated && *joined => group.push(*node),
                _ => groups.push(vec![*node]),
            }
            open = generated;
        }
        groups.retain(|group| group.len() > 1);
        self.fusion.groups = groups;
        self.gates = gates(&self.order, &self.edges, &self.fusion);
        self
    }

    /// The node that stands for a launch.
    fn launch(&self, node: NodeId) -> NodeId {
        let group = self.fusion.groups.iter().find(|group| group.contains(&node));
        group.map_or(node, |group| group[0])
    }

    fn overlap(&self) -> Overlap {
        let waits = |node: NodeId| waits(self.nodes[&node]);
        let early = |node: NodeId| match self.nodes[&node] {
            kind if reads_early(kind) => vec![self.program.node(node).accesses[0].buffer],
            _ => Vec::new(),
        };
        let waits_first = |node: NodeId| waits_first(self.nodes[&node]);
        let Self { order, edges, fusion, gates, .. } = self;
        let (waits, waits_first, early): (&dyn Fn(_) -> _, &dyn Fn(_) -> _, &dyn Fn(_) -> _) =
            (&waits, &waits_first, &early);
        let large: &dyn Fn(_) -> _ = &|_| false;
        overlap(
            &self.program,
            Given { order, edges, fusion, gates, waits, waits_first, early, large, only_asked: false },
        )
    }

    /// The edges, with gates as further nodes.
    fn links(&self, overlap: &Overlap) -> Vec<Link> {
        let spared: BTreeSet<(NodeId, NodeId)> = self.gates.iter().flat_map(spared).collect();
        let kept = self.edges.iter().map(|edge| (edge.from, edge.to)).filter(|pair| !spared.contains(pair));
        let mut links: Vec<Link> = kept.map(|(from, to)| (from, to, overlap.overlaps(from, to))).collect();
        for (number, gate) in self.gates.iter().enumerate() {
            let own = self.gate(number);
            links.extend(gate.before.iter().map(|from| (*from, own, overlap.gate(number))));
            links.extend(gate.behind.iter().map(|to| (own, *to, overlap.begins(*to))));
        }
        links
    }

    fn gate(&self, number: usize) -> NodeId {
        NodeId((self.program.nodes.len() + number) as u32)
    }

    /// A gate waits.
    fn waits(&self, node: NodeId) -> bool {
        self.nodes.get(&node).is_none_or(|kind| waits(*kind))
    }

    /// The nodes at these positions in the text.
    fn pairs(&self, pairs: &[(usize, usize)]) -> Vec<(NodeId, NodeId)> {
        let ids: Vec<NodeId> = self.nodes.keys().copied().collect();
        pairs.iter().map(|(from, to)| (ids[*from], ids[*to])).collect()
    }
}

fn spared(gate: &Gate) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
    gate.before.iter().flat_map(|from| gate.behind.iter().map(|to| (*from, *to)))
}

/// Whether a kernel does: of conditionals it is the test, and what bodies touch comes behind that.
fn waits(kind: Kind) -> bool {
    !matches!(kind, Kind::Plain | Kind::Copy | Kind::Prior)
}

fn waits_first(kind: Kind) -> bool {
    matches!(kind, Kind::First | Kind::EarlyFirst)
}

fn reads_early(kind: Kind) -> bool {
    matches!(kind, Kind::Early | Kind::EarlyFirst)
}

fn add(block: &mut Builder, part: Part, buffers: &[BufferId]) -> NodeId {
    let [from, to] = [buffers[part.reads], buffers[part.updates]];
    let uses: Vec<Use> = if from == to { vec![update(to)] } else { vec![read(from), update(to)] };
    let node = match part.kind {
        Kind::Generated => return block.scalar("s", &uses),
        Kind::Copy => return block.copy("c", read(from), update(to)),
        Kind::When => return block.when(&[read(from)], |block| block.kernel("inner", &[update(to)])),
        _ => block.kernel("k", &uses),
    };
    let here = &mut block.program().nodes[node.0 as usize];
    here.optional = part.kind == Kind::Optional;
    here.effects = part.kind == Kind::Effects;
    let overlap = (part.kind == Kind::Asked).then_some(Place(0));
    let priority = (part.kind == Kind::Prior).then_some(Priority::High);
    here.attributes = Some(Box::new(LaunchAttributes { priority, overlap, ..LaunchAttributes::default() }));
    node
}

/// Moments of a node: it begins, may touch memory from then on, is over and what it wrote can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Begin,
    Touch,
    End,
}

/// What comes behind what, whatever a device does: those moments to which a way leads.
#[derive(Default)]
struct Model {
    behind: BTreeMap<(NodeId, Moment), BTreeSet<(NodeId, Moment)>>,
}

impl Model {
    /// `off`: nodes that are switched off. They do nothing, and wait for nothing but what full edges make them.
    fn of(case: &Case, links: &[Link], off: &BTreeSet<NodeId>) -> Self {
        let mut model = Self::default();
        let gates = (0..case.gates.len()).map(|number| case.gate(number));
        for node in case.nodes.keys().copied().chain(gates) {
            model.put((node, Moment::Begin), (node, Moment::Touch));
            model.put((node, Moment::Touch), (node, Moment::End));
        }
        for &(from, to, is_programmatic) in links {
            let (from, to) = (case.launch(from), case.launch(to));
            if from == to {
                continue;
            }
            if !is_programmatic {
                model.put((from, Moment::End), (to, Moment::Begin));
                continue;
            }
            // All blocks of the one in front may say so as soon as they begin, if it has any, or as soon as they have waited.
            if !off.contains(&from) {
                let says = if case.nodes.get(&from).is_some_and(|kind| waits_first(*kind)) {
                    Moment::Touch
                } else {
                    Moment::Begin
                };
                model.put((from, says), (to, Moment::Begin));
            }
            if case.waits(to) && !off.contains(&to) {
                model.put((from, Moment::End), (to, Moment::Touch));
            }
        }
        model
    }

    fn put(&mut self, from: (NodeId, Moment), to: (NodeId, Moment)) {
        self.behind.entry(from).or_default().insert(to);
    }

    fn reached(&self, from: (NodeId, Moment)) -> BTreeSet<(NodeId, Moment)> {
        let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(next) = open.pop() {
            let behind = self.behind.get(&next).into_iter().flatten();
            open.extend(behind.filter(|moment| reached.insert(**moment)));
        }
        reached
    }
}

/// Pairs that the edges order, and of which the second may touch memory before the first is over.
fn out_of_order(case: &Case, links: &[Link], off: &BTreeSet<NodeId>) -> Vec<(NodeId, NodeId)> {
    let full: Vec<Link> = case.edges.iter().map(|edge| (edge.from, edge.to, false)).collect();
    let (full, real) = (Model::of(case, &full, off), Model::of(case, links, off));
    let mut wrong = Vec::new();
    for from in case.nodes.keys().filter(|node| !off.contains(node)) {
        let end = (case.launch(*from), Moment::End);
        let (wanted, found) = (full.reached(end), real.reached(end));
        let here = case.program.node(*from);
        let inner = here.kind.bodies().into_iter().flat_map(|body| &case.program.region(body).nodes);
        let accesses = inner.flat_map(|node| &case.program.node(*node).accesses).chain(&here.accesses);
        let written: BTreeSet<BufferId> =
            accesses.filter(|access| access.mode.writes()).map(|access| access.buffer).collect();
        let elsewhere = |to: NodeId| case.launch(to) != case.launch(*from);
        for (to, kind) in case.nodes.iter().filter(|(to, _)| elsewhere(**to) && !off.contains(to)) {
            let early = reads_early(*kind) && written.contains(&case.program.node(*to).accesses[0].buffer);
            let moment = if early { Moment::Begin } else { Moment::Touch };
            let launch = case.launch(*to);
            if wanted.contains(&(launch, Moment::Touch)) && !found.contains(&(launch, moment)) {
                wrong.push((*from, *to));
            }
        }
    }
    wrong
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    // Half of them are generated.
    let kind = (0..KINDS.len() + 8).prop_map(|at| KINDS.get(at).copied().unwrap_or(Kind::Generated));
    let part = (kind, 0..BUFFERS, 0..BUFFERS).prop_map(|(kind, reads, updates)| {
        let two = (matches!(kind, Kind::Copy | Kind::When) || reads_early(kind)) && reads == updates;
        Part { kind, reads, updates: if two { (updates + 1) % BUFFERS } else { updates } }
    });
    proptest::collection::vec(part, 2..12)
}

fn may_begin(kind: Kind) -> bool {
    matches!(kind, Kind::Generated | Kind::Waiting | Kind::First | Kind::When)
}

fn lets(kind: Kind) -> bool {
    matches!(kind, Kind::Generated | Kind::Waiting | Kind::Asked) || waits_first(kind) || reads_early(kind)
}

/// Nothing is out of order, whatever is switched off.
fn in_order(case: &Case) -> Result<(), TestCaseError> {
    let links = case.links(&case.overlap());
    let kinds = case.nodes.iter();
    let optional: Vec<NodeId> = kinds.filter(|(_, kind)| **kind == Kind::Optional).map(|(node, _)| *node).collect();
    for switched in 0..1_u32 << optional.len().min(4) {
        let is_off = |at: &usize| switched >> (at % 4) & 1 == 1;
        let off = (0..optional.len()).filter(is_off).map(|at| optional[at]).collect();
        prop_assert_eq!(out_of_order(case, &links, &off), [], "off: {:?}", off);
    }
    Ok(())
}

/// Layers of kernels of any kind; each waits for all of the layer in front.
fn layers() -> impl Strategy<Value = Case> {
    let kind = (0..80_usize).prop_map(|at| match at {
        0 => Kind::Plain,
        1 => Kind::Optional,
        2 => Kind::Asked,
        3 => Kind::Copy,
        _ => Kind::Generated,
    });
    let width = prop_oneof![Just(8_usize), Just(24)];
    let layer = width.prop_flat_map(move |width| proptest::collection::vec(kind.clone(), width));
    proptest::collection::vec(layer, 2..4).prop_map(|layers| {
        let mut block = Builder::new("g");
        let buffers: Vec<BufferId> =
            (0..BUFFERS).map(|at| block.parameter(&format!("x{at}"), Mode::Update, number(1))).collect();
        let mut add = |kind: &Kind| (add(&mut block, Part { kind: *kind, reads: 0, updates: 1 }, &buffers), *kind);
        let layers: Vec<Vec<(NodeId, Kind)>> =
            layers.iter().map(|layer| layer.iter().map(&mut add).collect()).collect();
        let mut edges = Vec::new();
        for pair in layers.windows(2) {
            let to = |from: NodeId| pair[1].iter().map(move |(to, _)| Edge { from, to: *to, reason: Reason::Effects });
            edges.extend(pair[0].iter().flat_map(|(from, _)| to(*from)));
        }
        Case::with(block.finish(), layers.into_iter().flatten().collect(), edges)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn what_the_edges_order_touches_memory_in_order(parts in parts()) {
        in_order(&Case::of(&parts))?;
    }

    #[test]
    fn so_do_launches_of_several_statements(parts in parts(), joined in proptest::collection::vec(any::<bool>(), 12)) {
        let case = Case::of(&parts).fused(&joined);
        in_order(&case)?;
        let overlap = case.overlap();
        for group in &case.fusion.groups {
            prop_assert!(group.iter().all(|node| overlap.begins(*node) == overlap.begins(group[0])), "one launch");
        }
    }

    #[test]
    fn those_that_may_begin_early_do_where_it_gains(parts in parts()) {
        let case = Case::of(&parts);
        let overlap = case.overlap();
        let waits = |to: NodeId| case.edges.iter().filter(move |edge| edge.to == to).map(|edge| edge.from);
        let behind = |from: NodeId| case.edges.iter().filter(|edge| edge.from == from).count();
        for Edge { from, to, .. } in &case.edges {
            let (before, after) = (case.nodes[from], case.nodes[to]);
            let all_let = waits(*to).all(|from| lets(case.nodes[&from]));
            let few = waits(*to).count() <= 8 && waits(*to).all(|from| behind(from) <= 8);
            let gains = few && (waits(*to).count() == 1 || waits(*to).all(|from| behind(from) == 1));
            let is_launch = !matches!(before, Kind::Copy | Kind::When | Kind::Optional);
            let expected = match after {
                Kind::Asked => is_launch,
                // What it reads may have been written in front.
                kind if reads_early(kind) => continue,
                after => may_begin(after) && all_let && gains,
            };
            prop_assert_eq!(overlap.overlaps(*from, *to), expected, "{:?} -> {:?}", from, to);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn gates_keep_the_order_too(case in layers()) {
        in_order(&case)?;
        let overlap = case.overlap();
        for (number, gate) in case.gates.iter().enumerate() {
            let lets = gate.before.iter().all(|from| lets(case.nodes[from]));
            prop_assert_eq!(overlap.gate(number), lets && gate.before.len() == 8);
            for to in &gate.behind {
                let kind = case.nodes[to];
                let few = gate.behind.len() <= 8;
                prop_assert_eq!(overlap.begins(*to), kind == Kind::Asked || few && may_begin(kind), "{:?}", kind);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    /// Where one that reads early is kept from beginning early, it would read what is not there yet.
    #[test]
    fn those_that_read_early_are_kept_only_where_it_must_be(parts in parts()) {
        let parts: Vec<Part> = parts.into_iter().map(|part| Part { reads: 1 + part.reads % 3, updates: 0, ..part }).collect();
        let case = Case::of(&parts);
        let overlap = case.overlap();
        for (to, _) in case.nodes.iter().filter(|(_, kind)| reads_early(**kind)) {
            let before: Vec<NodeId> = case.edges.iter().filter(|edge| edge.to == *to).map(|edge| edge.from).collect();
            let [from] = before[..] else { continue };
            let is_let = lets(case.nodes[&from]);
            let early = |link: &Link| (link.0, link.1, link.2 || link.1 == *to);
            let links: Vec<Link> = case.links(&overlap).iter().map(early).collect();
            let sound = out_of_order(&case, &links, &BTreeSet::new()).is_empty();
            prop_assert_eq!(overlap.overlaps(from, *to), is_let && sound, "{:?} -> {:?}", from, to);
        }
    }
}

/// Each waits for the one in front.
fn line(kinds: &[Kind]) -> Case {
    let part = |kind: &Kind| Part { kind: *kind, reads: 1, updates: 0 };
    Case::of(&kinds.iter().map(part).collect::<Vec<_>>())
}

/// The model finds what the pass avoids.
#[test]
fn the_model_tells_who_does_not_wait() {
    let none = BTreeSet::new();
    let all = |case: &Case| case.edges.iter().map(|edge| (edge.from, edge.to, true)).collect::<Vec<_>>();
    let case = line(&[Kind::Generated, Kind::Plain, Kind::Generated]);
    // The last waits for the second, and that for nobody: the first may still run.
    assert_eq!(out_of_order(&case, &all(&case), &none), case.pairs(&[(0, 1), (0, 2)]));
    let case = line(&[Kind::Generated, Kind::Optional, Kind::Generated]);
    assert_eq!(out_of_order(&case, &all(&case), &none), []);
    let off = case.order[1..2].iter().copied().collect();
    assert_eq!(out_of_order(&case, &all(&case), &off), case.pairs(&[(0, 2)]));
    let case = line(&[Kind::Generated, Kind::Generated, Kind::Copy]);
    assert_eq!(out_of_order(&case, &all(&case), &none), case.pairs(&[(0, 2), (1, 2)]));
}

fn given<'a>(order: &'a [NodeId], edges: &'a [Edge], fusion: &'a Fusion) -> Given<'a> {
    Given {
        order,
        edges,
        fusion,
        gates: &[],
        waits: &|_| false,
        waits_first: &|_| false,
        early: &|_| Vec::new(),
        large: &|_| false,
        only_asked: false,
    }
}

#[test]
fn a_launch_is_what_all_its_members_are() {
    let mut block = Builder::new("g");
    let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(1)));
    let nodes = [block.scalar("a", &[update(x)]), block.scalar("b", &[update(y)]), block.scalar("c", &[update(x)])];
    block.effects(nodes[1]);
    let program = block.finish();
    let edges = dependences(&program, RegionId::GRAPH);
    let (apart, together) = (Fusion::default(), Fusion { groups: vec![vec![nodes[0], nodes[1]]], ..Fusion::default() });
    assert!(overlap(&program, given(&nodes, &edges, &apart)).overlaps(nodes[0], nodes[2]));
    let fused = overlap(&program, given(&nodes, &edges, &together));
    assert!(!fused.overlaps(nodes[0], nodes[2]) && fused.last(), "the last one lets");
    for one in [nodes[0], nodes[2]] {
        let large = |node: NodeId| node == one;
        let large = Given { large: &large, ..given(&nodes, &edges, &apart) };
        assert!(!overlap(&program, large).overlaps(nodes[0], nodes[2]), "one of them is large");
    }
    let asked = Given { only_asked: true, ..given(&nodes, &edges, &apart) };
    assert!(!overlap(&program, asked).overlaps(nodes[0], nodes[2]));
}

#[test]
fn what_comes_behind_everything_begins_if_all_let_it() {
    let mut block = Builder::new("g");
    let [x, y] = ["x", "y"].map(|name| block.parameter(name, Mode::Update, number(1)));
    let nodes = [block.copy("a", read(x), update(y)), block.scalar("b", &[update(y)]), block.scalar("c", &[read(x)])];
    let program = block.finish();
    let edges = dependences(&program, RegionId::GRAPH);
    let none = Fusion::default();
    assert!(overlap(&program, given(&nodes, &edges, &none)).last());
    assert!(!overlap(&program, given(&nodes[..1], &[], &none)).last(), "a copy");
    let test = Fusion { tail: vec![nodes[1]], ..Fusion::default() };
    assert!(!overlap(&program, given(&nodes, &edges, &test)).last(), "the copy, whose only successor is in the test");
}
