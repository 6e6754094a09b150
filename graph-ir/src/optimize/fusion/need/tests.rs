use proptest::prelude::*;

use super::super::{Fusion, fuse};
use super::*;
use crate::analysis::{Edge, dependences, topological};
use crate::model::{Axis, Compute, Expression, Index, Local, Mode, NodeKind, Place, Statement};
use crate::optimize::reduce;
use crate::testing::{Builder, number, overwrite, read, update};

/// `accesses[0][i] = accesses[1][i] + …`, or of elements that lie elsewhere.
fn assignment(inputs: u32, gathers: bool) -> NodeKind {
    let index = |own: bool| Index {
        coordinates: vec![if own { Expression::Local(0) } else { Expression::Element(1) }],
        proved: true,
        place: Place(0),
    };
    let load = |access: u32| Expression::Load { access, index: Box::new(index(!gathers)) };
    let first = if inputs == 0 { Expression::Boolean(true) } else { load(1) };
    let value = (2..=inputs).fold(first, |sum, access| Expression::Select {
        condition: Box::new(Expression::Boolean(true)),
        then: Box::new(sum),
        otherwise: Box::new(load(access)),
    });
    let host = Expression::Boolean(false);
    let axes = vec![Axis { local: 0, start: host.clone(), end: host }];
    let locals = vec![Local { name: "i".to_owned(), scalar: None }];
    let body = vec![Statement::Store { access: 0, index: index(true), value }];
    NodeKind::Compute(Compute { axes, locals, body, reduction: None }.into())
}

/// What one statement reads of the transients before its own, and whether it reads them elsewhere than at its index.
type Step = (Vec<prop::sample::Index>, bool);

/// `t0 = …; t1 = …; …`: the program and its transients.
fn program(steps: &[Step]) -> (Program, Vec<BufferId>) {
    let mut block = Builder::new("g");
    let y = block.parameter("y", Mode::Update, number(4));
    let mut known = Vec::new();
    for (at, (inputs, gathers)) in steps.iter().enumerate() {
        let t = block.transient(&format!("t{at}"), number(4));
        let mut named: Vec<BufferId> = inputs.iter().filter(|_| at > 0).map(|input| *input.get(&known)).collect();
        named.sort_unstable();
        named.dedup();
        let uses: Vec<_> = std::iter::once(overwrite(t)).chain(named.iter().map(|buffer| read(*buffer))).collect();
        block.node(&format!("n{at}"), assignment(named.len() as u32, *gathers), &uses);
        known.push(t);
    }
    block.kernel("last", &[update(y), read(*known.last().unwrap())]);
    (block.finish(), known)
}

fn planned(program: &Program) -> (Vec<NodeId>, Vec<Edge>) {
    let edges = reduce(program, RegionId::GRAPH, &dependences(program, RegionId::GRAPH));
    (topological(&program.region(RegionId::GRAPH).nodes, &edges).unwrap(), edges)
}

/// The most bytes that are needed at once, launch by launch: counted anew for each place.
fn needed(program: &Program, order: &[NodeId], fusion: &Fusion, bytes: &dyn Fn(BufferId) -> u64) -> u64 {
    let fusion = fusion.clone().in_registers(program, order, &Users::of(program));
    let launch = |node: &NodeId| {
        let first = fusion.groups.iter().find(|group| group.contains(node)).map_or(*node, |group| group[0]);
        order.iter().position(|other| *other == first).unwrap()
    };
    let at = |place: usize| {
        let here = |buffer: &BufferId| {
            let named = |node: &&NodeId| program.node(**node).accesses.iter().any(|access| access.buffer == *buffer);
            let places = || order.iter().filter(named).map(launch);
            let transient = program.buffer(*buffer).origin == Origin::Transient;
            let kept = fusion.registers.iter().any(|(kept, _)| kept == buffer);
            transient && !kept && places().any(|at| at <= place) && places().any(|at| at >= place)
        };
        program.buffer_ids().filter(here).map(bytes).sum::<u64>()
    };
    (0..order.len()).map(at).max().unwrap_or(0)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let inputs = proptest::collection::vec(any::<prop::sample::Index>(), 0..3);
    proptest::collection::vec((inputs, prop::bool::weighted(0.2)), 1..10)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn no_more_is_needed_than_without_fusion_and_what_is_free(
        steps in steps(),
        sizes in proptest::collection::vec(0_u64..9, 10),
        free in 0_u64..12,
    ) {
        let (program, transients) = program(&steps);
        let bytes = |buffer: BufferId| transients.iter().position(|known| *known == buffer).map_or(0, |at| sizes[at]);
        let (order, edges) = planned(&program);
        let users = Users::of(&program);
        let memory = Memory { bytes: &bytes, users: &users, free };
        let fused = |memory| fuse(&program, RegionId::GRAPH, &order, &edges, &|_| Some(()), memory);
        let (fusion, all) = (fused(Some(memory)), fused(None));
        let alone = needed(&program, &order, &Fusion::default(), &bytes);
        let now = needed(&program, &order, &fusion, &bytes);
        prop_assert!(now <= alone + free, "{now} {alone} {fusion:?}");
        prop_assert!(fusion.left.iter().all(|left| left.bytes.is_some_and(|bytes| bytes > free)), "{:?}", fusion);
        prop_assert_eq!(fused(Some(Memory { free: u64::MAX, ..memory })).groups, all.groups);
    }

    #[test]
    fn heights_are_those_of_each_place(
        places in 1_usize..20,
        added in proptest::collection::vec((0_usize..20, 0_usize..20, 0_i128..9), 0..20),
    ) {
        let (mut heights, mut all) = (Heights::new(places), vec![0_i128; places]);
        for (at, (one, other, amount)) in added.iter().enumerate() {
            let (first, last) = (*one.min(other).min(&(places - 1)), *one.max(other).min(&(places - 1)));
            let range = |sign: i128, heights: &mut Heights, all: &mut [i128]| {
                heights.add((first, last), sign * amount);
                all[first..=last].iter_mut().for_each(|height| *height += sign * amount);
            };
            range(1, &mut heights, &mut all);
            prop_assert_eq!(heights.top(), *all.iter().max().unwrap());
            if at % 3 == 0 {
                range(-1, &mut heights, &mut all);
                prop_assert_eq!(heights.top(), *all.iter().max().unwrap());
            }
        }
    }
}

/// What is put together, and left, in `t0` of `s` and `t1` of `t0`, of `size` bytes; `surviving`: `t0` is read once more. In front of them
/// is a body that needs `inside` bytes.
fn chain(size: u64, surviving: bool, inside: u64) -> (usize, Vec<Option<u64>>) {
    let mut block = Builder::new("g");
    let y = block.parameter("y", Mode::Update, number(4));
    let mut inner = None;
    block.when(&[read(y)], |block| {
        let own = *inner.insert(block.transient("inner", number(4)));
        block.kernel("k", &[overwrite(own)]);
        block.kernel("l", &[update(y), read(own)]);
    });
    let [s, t0, t1] = ["s", "t0", "t1"].map(|name| block.transient(name, number(4)));
    block.kernel("first", &[overwrite(s)]);
    block.node("a", assignment(1, false), &[overwrite(t0), read(s)]);
    block.node("b", assignment(1, false), &[overwrite(t1), read(t0)]);
    let last = if surviving { vec![update(y), read(t1), read(t0)] } else { vec![update(y), read(t1)] };
    block.kernel("last", &last);
    let program = block.finish();
    let (order, edges) = planned(&program);
    let users = Users::of(&program);
    let bytes = |buffer: BufferId| if inner == Some(buffer) { inside } else { size };
    let memory = Memory { bytes: &bytes, users: &users, free: 100 };
    let fusion = fuse(&program, RegionId::GRAPH, &order, &edges, &|_| Some(()), Some(memory));
    (fusion.groups.len(), fusion.left.iter().map(|left| left.bytes).collect())
}

#[test]
fn a_chain_takes_what_it_takes_alone() {
    assert_eq!(chain(1000, false, 0), (1, Vec::new()), "`t0` stays in a register");
    assert_eq!(chain(1000, true, 0), (0, vec![Some(1000)]), "`s`, `t0` and `t1` beside each other");
    assert_eq!(chain(100, true, 0), (1, Vec::new()), "small");
}

#[test]
fn what_a_body_needs_is_needed_anyway() {
    assert_eq!(chain(1000, true, 2800), (0, vec![Some(200)]), "a little more than the body");
    assert_eq!(chain(1000, true, 2900), (1, Vec::new()), "no more than is free");
    assert_eq!(chain(1000, true, 5000), (1, Vec::new()), "less than the body");
}
