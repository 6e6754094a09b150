//! Random small programs against definitions that are too slow to use: all pairs, all paths, all values.

mod brute;
mod drafts;
mod waits;

use std::collections::{BTreeMap, BTreeSet};

use brute::{Pairs, closure, config, elements, elements_of, is_full, must_wait, value};
use drafts::{Draft, Shape, afters, blocks, draft};
use graph_ir::analysis::initialization::{Lack, initialization};
use graph_ir::analysis::{Edge, dependences, topological};
use graph_ir::code::Code;
use graph_ir::concrete::concretize;
use graph_ir::finding::Finding;
use graph_ir::model::{
    Access, Expression, Footprint, Memory, Mode, Node, NodeId, NodeKind, Origin, Place, Program, RegionId,
};
use graph_ir::optimize::{fuse, reduce};
use graph_ir::rules::{advise, check};
use proptest::prelude::*;

fn pairs(edges: &[Edge]) -> Pairs {
    edges.iter().map(|edge| (edge.from.0, edge.to.0)).collect()
}

/// What may be written when a place is reached: one set of elements per path.
type Paths = BTreeSet<BTreeSet<(u32, u64)>>;

#[derive(Default)]
struct Run {
    /// In the order in which they are first reached: buffer, whether a path lacks an element, whether any path has one.
    reads: Vec<(Place, u32, bool, bool)>,
    seen: BTreeMap<Place, usize>,
}

impl Run {
    fn need(&mut self, place: Place, buffer: u32, footprint: &Footprint, paths: &Paths) {
        let wanted: Vec<_> = elements_of(footprint).into_iter().map(|element| (buffer, element)).collect();
        let lacks = paths.iter().any(|path| wanted.iter().any(|element| !path.contains(element)));
        let has = paths.iter().any(|path| wanted.iter().any(|element| path.contains(element)));
        if let Some(&index) = self.seen.get(&place) {
            self.reads[index].2 |= lacks;
        } else {
            self.seen.insert(place, self.reads.len());
            self.reads.push((place, buffer, lacks, has));
        }
    }

    fn reads(&mut self, node: &Node, paths: &Paths) {
        for access in node.accesses.iter().filter(|access| access.mode != Mode::Overwrite) {
            self.need(access.place, access.buffer.0, &access.footprint, paths);
        }
    }

    fn region(&mut self, program: &Program, region: RegionId, mut paths: Paths) -> Paths {
        for node in &program.region(region).nodes {
            paths = self.node(program, program.node(*node), paths);
        }
        paths
    }

    fn body(&mut self, program: &Program, region: RegionId, paths: &Paths, test: Option<&Node>) -> Paths {
        let paths = self.region(program, region, paths.clone());
        if let Some(node) = test {
            self.reads(node, &paths);
        }
        let outlives = |element: &(u32, u64)| program.buffers[element.0 as usize].region != region;
        paths.into_iter().map(|path| path.into_iter().filter(outlives).collect()).collect()
    }

    fn node(&mut self, program: &Program, node: &Node, paths: Paths) -> Paths {
        if let NodeKind::Loop(head) = &node.kind {
            let mut after = if head.tests_first { paths.clone() } else { Paths::new() };
            if head.tests_first {
                self.reads(node, &paths);
            }
            let mut pass = paths;
            for _ in 0..2 {
                pass = self.body(program, head.body, &pass, Some(node));
                after.extend(pass.iter().cloned());
            }
            return after;
        }
        self.reads(node, &paths);
        let mut bodies = node.kind.bodies();
        if bodies.is_empty() {
            let mut written = BTreeSet::new();
            for access in node.accesses.iter().filter(|access| access.mode != Mode::Read) {
                let elements = elements_of(&access.footprint).into_iter();
                written.extend(elements.map(|element| (access.buffer.0, element)));
            }
            return paths.into_iter().map(|path| path.union(&written).copied().collect()).collect();
        }
        let mut after = Paths::new();
        let complete =
            matches!(&node.kind, NodeKind::If { otherwise: Some(_), .. } | NodeKind::Match { otherwise: Some(_), .. });
        if !complete {
            after.extend(paths.iter().cloned());
        }
        for body in bodies.drain(..) {
            after.extend(self.body(program, body, &paths, None));
        }
        after
    }
}

/// Per buffer with a fault: the place of the first one, and whether no path has written any of it.
fn uninitialised(program: &Program) -> BTreeMap<u32, (Place, bool)> {
    let mut start = BTreeSet::new();
    for (index, buffer) in program.buffers.iter().enumerate() {
        if matches!(buffer.origin, Origin::Parameter(Mode::Read | Mode::Update)) {
            let elements = elements_of(&Footprint::whole(buffer.shape)).into_iter();
            start.extend(elements.map(|element| (index as u32, element)));
        }
    }
    let mut run = Run::default();
    let end = run.region(program, RegionId::GRAPH, Paths::from([start]));
    for (index, buffer) in program.buffers.iter().enumerate() {
        if buffer.origin == Origin::Parameter(Mode::Overwrite) {
            run.need(buffer.place, index as u32, &Footprint::whole(buffer.shape), &end);
        }
    }
    let mut first = BTreeMap::new();
    for (place, buffer, lacks, has) in run.reads {
        if lacks {
            first.entry(buffer).or_insert((place, !has));
        }
    }
    first
}

/// The node that a place belongs to.
fn owner(program: &Program, place: Place) -> Option<&Node> {
    program.nodes.iter().find(|node| {
        node.place == place
            || node.accesses.iter().any(|access| access.place == place)
            || node.after.iter().any(|after| after.place == place)
            || node.kind.test().is_some_and(|test| test.place == place)
    })
}

/// Whether a finding's place is still part of a program in which arms have been chosen.
fn is_live(program: &Program, finding: &Finding) -> bool {
    let live = program.live_regions();
    let mut nodes = live.iter().flat_map(|region| &program.region(*region).nodes).map(|node| program.node(*node));
    owner(program, finding.place).is_none_or(|owner| nodes.any(|node| node.place == owner.place))
}

/// What a finding is about: the node, or the buffer's declaration for findings about contents.
fn subject(program: &Program, finding: &Finding) -> Option<u32> {
    let contents = [Code::UNINITIALISED, Code::MAYBE_UNINITIALISED];
    if contents.contains(&finding.code) {
        return finding.notes[0].place.map(|place| place.0);
    }
    Some(owner(program, finding.place).map_or(finding.place, |node| node.place).0)
}

fn subjects(program: &Program, findings: &[Finding]) -> BTreeSet<Option<u32>> {
    let decided = findings.iter().filter(|finding| finding.code != Code::CYCLE);
    decided.map(|finding| subject(program, finding)).collect()
}

/// Whether all that an access writes is written again, by copies, before anything of its region may read it.
fn is_replaced_unread(program: &Program, node: &Node, write: &Access) -> bool {
    let mut left: BTreeSet<u64> = elements_of(&write.footprint).into_iter().collect();
    let behind = program.region(node.region).nodes.iter().skip_while(|other| program.node(**other).place != node.place);
    for &later in behind.skip(1) {
        let touched = elements(program, later);
        let reads = |(buffer, element, mode): &(u32, u64, Mode)| {
            *buffer == write.buffer.0 && left.contains(element) && *mode != Mode::Overwrite
        };
        if touched.iter().any(reads) {
            return false;
        }
        if program.node(later).kind == NodeKind::Copy {
            touched.iter().filter(|(buffer, ..)| *buffer == write.buffer.0).for_each(|(_, element, _)| {
                left.remove(element);
            });
        }
    }
    left.is_empty()
}

/// Which pairs of a region's nodes are ordered, by all pairs and all ways.
fn order(program: &Program, region: RegionId) -> Pairs {
    closure(must_wait(program, region))
}

/// The program without these `after`s.
fn leave_out(program: &Program, places: &[Place]) -> Program {
    let mut program = program.clone();
    program.nodes.iter_mut().for_each(|node| node.after.retain(|after| !places.contains(&after.place)));
    program
}

/// The `after`s of a region: those that nothing is said of, and those that are called redundant.
fn told(program: &Program, region: RegionId) -> (Vec<Place>, Vec<Place>) {
    let found = advise(program).into_iter().filter(|finding| finding.code == Code::REDUNDANT_AFTER);
    let told: BTreeSet<_> = found.map(|finding| finding.place).collect();
    let nodes = program.region(region).nodes.iter().map(|node| program.node(*node));
    nodes.flat_map(|node| &node.after).map(|after| after.place).partition(|place| !told.contains(place))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn edges_order_what_conflicts_and_reduction_keeps_it(shape in draft(Shape::Numbers), links in afters()) {
        let program = shape.program(&links);
        for region in program.live_regions() {
            let edges = dependences(&program, region);
            let wanted = closure(must_wait(&program, region));
            prop_assert_eq!(&closure(pairs(&edges)), &wanted);

            let reduced = reduce(&program, region, &edges);
            prop_assert_eq!(&closure(pairs(&reduced)), &wanted);
            let acyclic = topological(&program.region(region).nodes, &edges).is_ok();
            prop_assert_eq!(acyclic, wanted.iter().all(|(from, to)| from != to));
            for skipped in pairs(&reduced).iter().filter(|_| acyclic) {
                let mut fewer = pairs(&reduced);
                fewer.remove(skipped);
                prop_assert_ne!(&closure(fewer), &wanted, "{:?} is redundant", skipped);
            }
        }
    }

    #[test]
    fn fused_scalars_start_no_later_and_wait_for_no_more(shape in draft(Shape::Numbers), scalars in any::<u16>()) {
        let mut program = shape.program(&[]);
        for (index, node) in program.nodes.iter_mut().enumerate() {
            if matches!(node.kind, NodeKind::Kernel(_)) && scalars >> (index % 16) & 1 == 1 {
                node.kind = NodeKind::Scalar { value: Expression::Boolean(true) };
            }
        }
        for region in program.live_regions() {
            let edges = reduce(&program, region, &dependences(&program, region));
            let Ok(order) = topological(&program.region(region).nodes, &edges) else { continue };
            let fusion = fuse(&program, region, &order, &edges, &|_| None::<()>, None);
            prop_assert!(fusion.groups.iter().flatten().all(|node| !fusion.tail.contains(node)));
            let before = closure(pairs(&edges));
            for node in &fusion.tail {
                let behind = before.iter().filter(|(from, _)| *from == node.0);
                prop_assert!(behind.into_iter().all(|(_, to)| fusion.tail.contains(&NodeId(*to))), "{:?} is not last", node);
            }
            let leader = |id: u32| fusion.groups.iter().find(|group| group.contains(&NodeId(id))).map_or(id, |group| group[0].0);
            let contracted: Pairs = before.iter().map(|&(from, to)| (leader(from), leader(to))).filter(|(a, b)| a != b).collect();
            let now = closure(contracted);
            prop_assert!(now.iter().all(|(from, to)| from != to), "a cycle through {:?}", fusion.groups);
            for &(from, to) in now.iter().filter(|(_, to)| fusion.groups.iter().any(|group| group[0].0 == *to)) {
                prop_assert!(before.contains(&(from, to)), "{} waits for {} too", to, from);
            }
        }
    }

    #[test]
    fn contents_are_there_on_all_paths(shape in draft(Shape::Numbers)) {
        let program = shape.program(&[]);
        let found: BTreeMap<_, _> = initialization(&program)
            .iter()
            .map(|gap| (gap.buffer.0, (gap.place, gap.lack == Lack::Nothing)))
            .collect();
        prop_assert_eq!(found, uninitialised(&program));
    }

    #[test]
    fn what_is_called_unread_is_read_by_nobody(shape in draft(Shape::Numbers)) {
        let program = shape.program(&[]);
        for finding in advise(&program).iter().filter(|finding| finding.code == Code::UNREAD) {
            if let Some(buffer) = program.buffers.iter().position(|buffer| buffer.place == finding.place) {
                let mut accesses = program.nodes.iter().flat_map(|node| &node.accesses);
                let reads = |access: &Access| access.buffer.0 as usize == buffer && access.mode != Mode::Overwrite;
                prop_assert!(!accesses.any(reads), "{finding:?}");
                continue;
            }
            let node = owner(&program, finding.place).unwrap();
            let write = node.accesses.iter().find(|access| access.place == finding.place).unwrap();
            prop_assert!(is_replaced_unread(&program, node, write), "{finding:?}");
        }
    }

    /// What launches kernels of the user's, copies or fills would touch a mailbox as memory; what assigns and tests looks at its elements.
    #[test]
    fn a_mailbox_is_refused_to_all_that_is_given_memory_and_to_nothing_else(shape in draft(Shape::Numbers), scalars in any::<u16>(), boxes in any::<u8>()) {
        let mut program = shape.program(&[]);
        for (index, node) in program.nodes.iter_mut().enumerate() {
            if matches!(node.kind, NodeKind::Kernel(_)) && scalars >> (index % 16) & 1 == 1 {
                node.kind = NodeKind::Scalar { value: Expression::Boolean(true) };
            }
        }
        for (index, buffer) in program.buffers.iter_mut().enumerate() {
            if matches!(buffer.origin, Origin::Parameter(_)) && boxes >> (index % 8) & 1 == 1 {
                buffer.memory = Memory::Mailbox;
            }
        }
        let memory = |access: &&Access| program.buffers[access.buffer.0 as usize].memory == Memory::Mailbox;
        let mut given = BTreeMap::new();
        for region in program.live_regions() {
            for node in program.region(region).nodes.iter().map(|node| program.node(*node)) {
                let places: BTreeSet<Place> = node.accesses.iter().filter(memory).map(|access| access.place).collect();
                if matches!(node.kind, NodeKind::Kernel(_) | NodeKind::Copy | NodeKind::Fill { .. }) && !places.is_empty() {
                    given.insert(node.place, places);
                }
            }
        }
        let found = check(&program).refuted.into_iter().filter(|finding| finding.code == Code::MAILBOX);
        let found: Vec<Place> = found.map(|finding| finding.place).collect();
        prop_assert_eq!(found.len(), given.len());
        for (node, places) in &given {
            prop_assert_eq!(found.iter().filter(|place| places.contains(place)).count(), 1, "{:?}", node);
        }
    }

    #[test]
    fn an_after_is_redundant_if_and_only_if_the_order_is_there_without_it(shape in draft(Shape::Numbers), links in afters()) {
        let mut program = shape.program(&links);
        for node in program.nodes.iter_mut().filter(|node| matches!(node.kind, NodeKind::Kernel(_))) {
            // A launch may touch less than it is given, an assignment touches what it names.
            node.kind = NodeKind::Scalar { value: Expression::Boolean(true) };
        }
        for region in program.live_regions() {
            let edges = dependences(&program, region);
            if topological(&program.region(region).nodes, &edges).is_ok() {
                let (needed, redundant) = told(&program, region);
                let all = order(&program, region);
                let without = |left_out: &[Place]| order(&leave_out(&program, left_out), region);
                prop_assert_eq!(&without(&redundant), &all);
                for after in needed {
                    prop_assert_ne!(&without(&[redundant.as_slice(), &[after]].concat()), &all, "{:?} is redundant", after);
                }
            }
        }
    }

    #[test]
    fn an_after_that_is_called_redundant_is_so_for_all_numbers(shape in draft(Shape::Expressions), links in afters()) {
        let program = shape.program(&links);
        let numbers = (1..4).flat_map(|n| (0..4).flat_map(move |a| (0..4).map(move |b| [n, a, b])));
        for (values, flag) in numbers.flat_map(|values| [(values, true), (values, false)]) {
            let concrete = concretize(&program, &value(&program, values, flag)).unwrap().program;
            for region in program.live_regions().into_iter().filter(|_| is_full(&concrete)) {
                let acyclic = topological(&concrete.region(region).nodes, &dependences(&concrete, region)).is_ok();
                let (_, redundant) = told(&program, region);
                if acyclic && !redundant.is_empty() {
                    prop_assert_eq!(order(&leave_out(&concrete, &redundant), region), order(&concrete, region));
                }
            }
        }
    }

    #[test]
    fn what_is_refuted_or_proved_with_expressions_is_so_with_numbers(shape in draft(Shape::Expressions), links in afters()) {
        let program = shape.program(&links);
        let symbolic = check(&program);
        let mut known = subjects(&program, &symbolic.open);
        known.extend(subjects(&program, &symbolic.refuted));
        let numbers = (1..4).flat_map(|n| (0..4).flat_map(move |a| (0..4).map(move |b| [n, a, b])));
        for (values, flag) in numbers.flat_map(|values| [(values, true), (values, false)]) {
            let concrete = concretize(&program, &value(&program, values, flag)).unwrap().program;
            let report = check(&concrete);
            prop_assert_eq!(&report.open, &vec![]);
            let now = subjects(&concrete, &report.refuted);
            prop_assert!(now.is_subset(&known), "proved, but {:?} for {:?}", report.refuted, values);
            if is_full(&concrete) {
                let live = symbolic.refuted.iter().filter(|finding| is_live(&concrete, finding)).cloned();
                let refuted = subjects(&program, &live.collect::<Vec<_>>());
                prop_assert!(refuted.is_subset(&now), "{:?} but not for {:?}: {:?}", symbolic.refuted, values, report.refuted);
            }
            let of_cycles = |finding: &&Finding| finding.code == Code::CYCLE;
            let cyclic = report.refuted.iter().any(|finding| of_cycles(&finding));
            prop_assert!(!cyclic || symbolic.refuted.iter().chain(&symbolic.open).any(|finding| of_cycles(&finding)));
            let stays = |finding: &Finding| {
                let host = owner(&program, finding.place).is_some_and(|node| matches!(node.kind, NodeKind::HostIf { .. }));
                !host && is_live(&concrete, finding)
            };
            prop_assert!(cyclic || !is_full(&concrete) || !symbolic.refuted.iter().filter(of_cycles).any(stays));
        }
    }
}

#[test]
fn drafts_reach_every_kind_of_statement() {
    let program = Draft(blocks()).program(&[(0, 1)]);
    let words: BTreeSet<_> = program.nodes.iter().map(|node| node.kind.word()).collect();
    assert_eq!(words, BTreeSet::from(["kernel", "copy", "if", "match", "while", "loop"]));
}
