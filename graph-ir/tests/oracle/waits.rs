//! CG0306: what is said of a transient that is used again, against the graph with another buffer from there on.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

use std::cell::Cell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use graph_ir::code::Code;
use graph_ir::concrete::concretize;
use graph_ir::finding::Finding;
use graph_ir::model::{BufferId, Expression, Footprint, Mode, NodeId, NodeKind, Origin, Place, Program, RegionId};
use graph_ir::rules::advise;
use proptest::prelude::*;

use crate::brute::{Pairs, closure, config, elements, elements_of, is_full, must_wait, value};
use crate::drafts::{Shape, afters, reuses};

/// One warning.
#[derive(Clone, Copy, Debug)]
struct Claim {
    buffer: BufferId,
    reader: NodeId,
    writer: NodeId,
    /// Nodes that run one after another, now and with a second buffer.
    with: usize,
    without: usize,
}

fn claims(program: &Program) -> Vec<Claim> {
    let said = advise(program).into_iter().filter(|finding| finding.code == Code::NEEDLESS_WAIT);
    said.map(|finding| claim(program, &finding)).collect()
}

fn claim(program: &Program, finding: &Finding) -> Claim {
    let (writer, buffer) = owner(program, finding.place);
    let (reader, read) = owner(program, finding.notes[0].place.unwrap());
    assert_eq!(buffer, read);
    let words = finding.notes[1].text.split(' ').filter_map(|word| word.parse().ok());
    let [with, without] = words.collect::<Vec<usize>>()[..] else { panic!("{finding:?}") };
    let region = program.node(writer).region;
    let reader = *program.region(region).nodes.iter().find(|node| contains(program, **node, reader)).unwrap();
    Claim { buffer, reader, writer, with, without }
}

/// The node that an access stands in, and its buffer.
fn owner(program: &Program, place: Place) -> (NodeId, BufferId) {
    let nodes = (0..program.nodes.len() as u32).map(NodeId);
    let mut uses = nodes.flat_map(|id| program.node(id).accesses.iter().map(move |access| (id, access)));
    let (node, access) = uses.find(|(_, access)| access.place == place).unwrap();
    (node, access.buffer)
}

fn contains(program: &Program, node: NodeId, inner: NodeId) -> bool {
    let bodies = program.node(node).kind.bodies().into_iter();
    node == inner || bodies.flat_map(|body| &program.region(body).nodes).any(|node| contains(program, *node, inner))
}

/// The program with a buffer of its own in place of `buffer`, for `from` and all that is behind it in its region.
fn split(program: &Program, buffer: BufferId, from: NodeId) -> Program {
    let mut split = program.clone();
    let second = BufferId(program.buffers.len() as u32);
    split.buffers.push(program.buffer(buffer).clone());
    let behind = program.region(program.node(from).region).nodes.iter().skip_while(|node| **node != from);
    let behind: Vec<_> = behind.copied().collect();
    for id in (0..program.nodes.len() as u32).map(NodeId) {
        if behind.iter().any(|outer| contains(program, *outer, id)) {
            let accesses = &mut split.nodes[id.0 as usize].accesses;
            accesses.iter_mut().filter(|access| access.buffer == buffer).for_each(|access| access.buffer = second);
        }
    }
    split
}

/// The longest sequence of nodes that wait for each other, among those that `last` ends.
fn chain_to(order: &Pairs, last: u32) -> usize {
    1 + order.iter().filter(|(_, to)| *to == last).map(|(from, _)| chain_to(order, *from)).max().unwrap_or(0)
}

fn chain_from(order: &Pairs, first: u32) -> usize {
    1 + order.iter().filter(|(from, _)| *from == first).map(|(_, to)| chain_from(order, *to)).max().unwrap_or(0)
}

fn longest(program: &Program, region: RegionId, order: &Pairs) -> usize {
    program.region(region).nodes.iter().map(|node| chain_to(order, node.0)).max().unwrap_or(0)
}

fn is_acyclic(order: &Pairs) -> bool {
    order.iter().all(|(from, to)| from != to)
}

/// Contents by buffer and element: what is written is a number made of all that its node reads.
#[derive(Default)]
struct Memory(BTreeMap<(u32, u64), u64>);

impl Memory {
    fn region(&mut self, program: &Program, region: RegionId) {
        self.0.retain(|(buffer, _), _| program.buffers[*buffer as usize].region != region);
        program.region(region).nodes.iter().for_each(|node| self.node(program, *node));
    }

    fn node(&mut self, program: &Program, id: NodeId) {
        let node = program.node(id);
        if let NodeKind::Loop(head) = &node.kind {
            for _ in 0..2 {
                if !head.tests_first || !self.seen(program, id).is_multiple_of(4) {
                    self.region(program, head.body);
                }
            }
            return;
        }
        let seen = self.seen(program, id);
        let bodies = node.kind.bodies();
        if let Some(body) = bodies.get(seen as usize % (bodies.len() + 1)) {
            self.region(program, *body);
        }
        for (index, access) in node.accesses.iter().enumerate().filter(|(_, access)| access.mode.writes()) {
            for element in elements_of(&access.footprint) {
                self.0.insert((access.buffer.0, element), hash(&(id, index, element, seen)));
            }
        }
    }

    /// A number made of what a node reads.
    fn seen(&self, program: &Program, node: NodeId) -> u64 {
        let reads = program.node(node).accesses.iter().filter(|access| access.mode.reads());
        let read = |(buffer, element)| self.0.get(&(buffer, element));
        let contents =
            reads.flat_map(|access| elements_of(&access.footprint).into_iter().map(|at| (access.buffer.0, at)));
        hash(&contents.map(read).collect::<Vec<_>>())
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What the caller finds in the parameters behind a run from top to bottom.
fn left(program: &Program) -> BTreeMap<(u32, u64), u64> {
    let mut memory = Memory::default();
    memory.region(program, RegionId::GRAPH);
    memory.0.retain(|(buffer, _), _| matches!(program.buffers[*buffer as usize].origin, Origin::Parameter(_)));
    memory.0
}

/// That what a warning claims is so in a program with numbers.
fn confirm(program: &Program, claim: Claim) -> Result<(), TestCaseError> {
    let region = program.node(claim.writer).region;
    let other = split(program, claim.buffer, claim.writer);
    let (now, then) = (closure(must_wait(program, region)), closure(must_wait(&other, region)));
    let pair = (claim.reader.0, claim.writer.0);
    prop_assert!(now.contains(&pair) && !then.contains(&pair), "{:?}", claim);
    prop_assert_eq!(longest(program, region, &now), claim.with, "{:?}", claim);
    prop_assert_eq!(longest(&other, region, &then), claim.without, "{:?}", claim);
    prop_assert!(claim.without < claim.with);
    prop_assert_eq!(left(program), left(&other), "{:?}", claim);
    Ok(())
}

/// The buffers of a region of which a second one makes the longest chain shorter, by way of a node that only reads the first.
fn worth_a_second(program: &Program, region: RegionId) -> BTreeSet<u32> {
    let now = closure(must_wait(program, region));
    let longest_now = longest(program, region, &now);
    let own = |id: &BufferId| program.buffer(*id).origin == Origin::Transient && program.buffer(*id).region == region;
    let is_worth = |buffer: &BufferId| {
        let Some(writer) = first_replacement(program, region, *buffer) else { return false };
        let other = split(program, *buffer, writer);
        let then = closure(must_wait(&other, region));
        let only_reads = |node: u32| {
            let mut uses = elements(program, NodeId(node)).into_iter().filter(|used| used.0 == buffer.0);
            uses.all(|(.., mode)| mode == Mode::Read)
        };
        let slows = |(reader, to): &&(u32, u32)| {
            *to == writer.0
                && only_reads(*reader)
                && !then.contains(&(*reader, *to))
                && chain_to(&now, *reader) + chain_from(&now, *to) == longest_now
        };
        longest(&other, region, &then) < longest_now && now.iter().any(|pair| slows(&pair))
    };
    program.buffer_ids().filter(own).filter(is_worth).map(|buffer| buffer.0).collect()
}

/// The first copy that replaces all of a buffer that was used before.
fn first_replacement(program: &Program, region: RegionId, buffer: BufferId) -> Option<NodeId> {
    let uses = |node: NodeId| elements(program, node).into_iter().filter(|used| used.0 == buffer.0).collect::<Vec<_>>();
    let size = elements_of(&Footprint::whole(program.buffer(buffer).shape)).len();
    let replaces = |node: &NodeId| {
        let used = uses(*node);
        let all = used.len() == size && used.iter().all(|(.., mode)| *mode == Mode::Overwrite);
        program.node(*node).kind == NodeKind::Copy && all
    };
    let named = |node: NodeId| {
        let inner = (0..program.nodes.len() as u32).map(NodeId).filter(move |inner| contains(program, node, *inner));
        inner.flat_map(|inner| &program.node(inner).accesses).any(|access| access.buffer == buffer)
    };
    let nodes = &program.region(region).nodes;
    let used = nodes.iter().position(|node| named(*node))?;
    nodes[used + 1..].iter().copied().find(replaces)
}

#[test]
fn a_wait_that_is_called_needless_is_so_for_all_numbers() {
    let confirmed = Cell::new(0);
    let config = ProptestConfig { cases: 300, ..config() };
    let result = proptest::test_runner::TestRunner::new(config).run(
        &(reuses(Shape::Expressions), afters()),
        |(shape, links)| {
            let program = shape.program(&links);
            let claims = claims(&program);
            for values in (1..4).flat_map(|n| (0..4).flat_map(move |a| (0..4).map(move |b| [n, a, b]))) {
                for flag in if claims.is_empty() { &[][..] } else { &[true, false] } {
                    let concrete = concretize(&program, &value(&program, values, *flag)).unwrap().program;
                    let live = |claim: &&Claim| concrete.live_regions().contains(&concrete.node(claim.writer).region);
                    for claim in claims.iter().filter(live).filter(|_| is_full(&concrete)) {
                        confirm(&concrete, *claim)?;
                        confirmed.set(confirmed.get() + 1);
                    }
                }
            }
            Ok(())
        },
    );
    result.unwrap();
    assert!(confirmed.get() > 100, "{confirmed:?}");
}

#[test]
fn every_wait_that_a_second_buffer_spares_is_told_of() {
    let told = Cell::new(0);
    let config = ProptestConfig { cases: 300, ..config() };
    let result =
        proptest::test_runner::TestRunner::new(config).run(&(reuses(Shape::Numbers), afters()), |(shape, links)| {
            let mut program = shape.program(&links);
            for node in program.nodes.iter_mut().filter(|node| matches!(node.kind, NodeKind::Kernel(_))) {
                // A launch may touch less than it is given, an assignment touches what it names.
                node.kind = NodeKind::Scalar { value: Expression::Boolean(true) };
            }
            let claims = claims(&program);
            for claim in &claims {
                confirm(&program, *claim)?;
            }
            for region in program.live_regions() {
                let said = claims.iter().filter(|claim| program.node(claim.writer).region == region);
                let said: BTreeSet<u32> = said.map(|claim| claim.buffer.0).collect();
                let enough = program.region(region).nodes.len() >= 4;
                if enough && is_acyclic(&closure(must_wait(&program, region))) {
                    prop_assert_eq!(&said, &worth_a_second(&program, region), "{:?}", region);
                    told.set(told.get() + said.len());
                }
            }
            Ok(())
        });
    result.unwrap();
    assert!(told.get() > 20, "{told:?}");
}
