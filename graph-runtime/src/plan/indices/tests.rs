//! Random indices against all numbers that they can be.

use std::collections::BTreeMap;

use graph_ir::model::{Axis, BinaryOperator as B, Compute, Expression, Index, Local, Place, ScalarType, Statement};
use proptest::prelude::*;

use super::walk::{Walk, number};
use crate::compute::AxisRange;
use crate::scalar::compute::{Buffers, infer_compute};
use crate::scalar::facts;
use crate::scalar::typing::Types;

use ScalarType::{F32, I8, I32, U8, U16, U64};

/// `a * i + b * j + c * k + d` in one type, and then as another.
#[derive(Clone, Debug)]
struct Linear {
    factors: [i64; 3],
    offset: i64,
    scalar: ScalarType,
    wide: bool,
}

/// Two axes of this type, a loop in them, a store and a load of one buffer of so many elements.
#[derive(Clone, Debug)]
struct Body {
    counts: [u64; 2],
    starts: [u64; 2],
    passes: i64,
    store: Linear,
    load: Linear,
    length: u64,
}

fn literal(scalar: ScalarType, value: i64) -> Expression {
    let (_, most) = facts::range(scalar);
    // What does not fit stands for its bits.
    let bits = i128::from(value).rem_euclid(1 << facts::width(scalar));
    let value = if bits > most { bits - (1 << facts::width(scalar)) } else { bits };
    let digits = Expression::Literal { text: value.unsigned_abs().to_string(), suffix: Some(scalar) };
    if value >= 0 {
        return digits;
    }
    Expression::Unary { operator: graph_ir::model::UnaryOperator::Neg, operand: Box::new(digits) }
}

fn binary(operator: B, left: Expression, right: Expression) -> Expression {
    Expression::Binary { operator, left: Box::new(left), right: Box::new(right) }
}

fn cast(operand: Expression, target: ScalarType) -> Expression {
    Expression::Cast { operand: Box::new(operand), target }
}

impl Linear {
    fn expression(&self) -> Expression {
        let scalar = self.scalar;
        let term = |(local, factor): (usize, &i64)| {
            binary(B::Mul, cast(Expression::Local(local as u32), scalar), literal(scalar, *factor))
        };
        let terms = self.factors.iter().enumerate().filter(|(_, factor)| **factor != 0).map(term);
        let sum = terms.fold(literal(scalar, self.offset), |sum, term| binary(B::Add, sum, term));
        if self.wide { cast(sum, U64) } else { sum }
    }

    /// What the device computes, as the word that it compares with a length.
    fn value(&self, at: [i64; 3]) -> u64 {
        let width = facts::width(self.scalar);
        let sum: i64 = self.factors.iter().zip(at).map(|(factor, at)| factor * at).sum::<i64>() + self.offset;
        let bits = sum.cast_unsigned() & (u64::MAX >> (64 - width));
        number(self.scalar, bits).rem_euclid(1 << 64).try_into().unwrap()
    }
}

impl Body {
    fn compute(&self) -> Compute {
        let axis = |local: u32| Axis { local, start: literal(U64, 0), end: literal(U64, 1) };
        let names = ["i", "j", "k"].map(|name| Local { name: name.to_owned(), scalar: None });
        let index = |access: u32, linear: &Linear| {
            (access, Index { coordinates: vec![linear.expression()], proved: false, place: Place(0) })
        };
        let (load, at) = index(1, &self.load);
        let value = Expression::Load { access: load, index: Box::new(at) };
        let (access, at) = index(0, &self.store);
        let store = Statement::Store { access, index: at, value };
        let [start, end] = [literal(I32, 0), literal(I32, self.passes)];
        let pass = Statement::For { local: 2, start, end, inclusive: false, body: vec![store] };
        Compute { axes: vec![axis(0), axis(1)], locals: names.to_vec(), body: vec![pass], reduction: None }
    }

    fn axes(&self) -> Vec<AxisRange> {
        let axis = |(start, count): (&u64, &u64)| AxisRange { start: *start, count: *count, scalar: U64 };
        self.starts.iter().zip(&self.counts).map(axis).collect()
    }

    /// Each pair of axes with the values of both indices.
    fn all(&self) -> Vec<([i64; 2], u64, u64)> {
        let [first, second] = [0, 1].map(|axis| {
            let start = self.starts[axis].cast_signed();
            start..start + self.counts[axis].cast_signed()
        });
        let mut all = Vec::new();
        for i in first {
            for j in second.clone() {
                for k in 0..self.passes {
                    all.push(([i, j], self.store.value([i, j, k]), self.load.value([i, j, k])));
                }
            }
        }
        all
    }
}

fn linear() -> impl Strategy<Value = Linear> {
    let factor = || prop_oneof![4 => -3..=8_i64, 1 => Just(16), 1 => Just(0)];
    let scalar = prop_oneof![4 => Just(U64), 1 => Just(I32), 1 => Just(U8), 1 => Just(I8), 1 => Just(U16)];
    let inner = prop_oneof![3 => Just(0), 1 => -1..=2_i64];
    let parts = ((factor(), factor(), inner), -2..20_i64, scalar, any::<bool>());
    parts.prop_map(|((a, b, c), offset, scalar, wide)| Linear { factors: [a, b, c], offset, scalar, wide })
}

fn body() -> impl Strategy<Value = Body> {
    let near = (any::<bool>(), -1..=1_i64, linear(), linear());
    let load = near.prop_map(|(same, by, store, other)| {
        let load = if same { Linear { offset: store.offset + by, ..store.clone() } } else { other };
        (store, load)
    });
    (load, [1..20_u64, 1..7], [0..3_u64, 0..3], 1..3_i64, 1..300_u64).prop_map(
        |((store, load), counts, starts, passes, length)| Body { counts, starts, passes, store, load, length },
    )
}

/// Whether a race is reported, and for each use from where to where it surely stays.
fn analysed(body: &Body) -> (bool, Vec<Option<(i128, i128)>>) {
    let buffers = Buffers { first: vec![0, 0], ranks: vec![1, 1], ..Buffers::default() };
    let types = Types { element: &|_| Some(F32), host: &|_| None, mailbox: &|_| false };
    let inferred = infer_compute(&body.compute(), &[U64, U64], &types, buffers).unwrap();
    let names = ["i", "j", "k"].map(str::to_owned);
    let walk = Walk::over(&inferred.root, &body.axes(), &[], &names);
    let [store, load] = &walk.uses[..] else { panic!("{:?}", walk.uses) };
    let lengths = [body.length];
    let race = [store, load].iter().any(|other| walk.fault([store, other], &lengths, 2).is_some());
    let reached = |used: &super::Use| used.coordinates[0].as_ref().and_then(|known| known.exactly(&walk.iterations));
    (race, walk.uses.iter().map(reached).collect())
}

/// Whether two indices touch one element of those that there are, and one of them writes it.
fn races(body: &Body) -> bool {
    let mut writers: BTreeMap<u64, [i64; 2]> = BTreeMap::new();
    let all = body.all();
    let inside = |element: u64| element < body.length;
    let stores = all.iter().filter(|(_, store, _)| inside(*store));
    let twice = stores.clone().any(|(at, store, _)| *writers.entry(*store).or_insert(*at) != *at);
    twice || all.iter().any(|(at, _, load)| inside(*load) && writers.get(load).is_some_and(|writer| writer != at))
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("CUDA_GRAPH_BODIES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn what_is_said_of_indices_is_so() {
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[3; 32]);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(cases(), rng);
    let counts = std::cell::Cell::new([0_u32; 3]);
    let result = runner.run(&body(), |body| {
        let (reported, reached) = analysed(&body);
        let is = races(&body);
        prop_assert!(reported || !is, "a race is not seen");
        let mut sums = counts.get();
        sums[usize::from(is) + usize::from(reported && !is) * 2] += 1;
        counts.set(sums);
        for (_, store, load) in body.all() {
            for (value, reached) in [store, load].into_iter().zip(&reached) {
                let numbers = [i128::from(value), i128::from(value.cast_signed())];
                let is = |(low, high): &(i128, i128)| numbers.iter().any(|value| low <= value && value <= high);
                prop_assert!(reached.as_ref().is_none_or(is), "{value} is outside");
            }
        }
        Ok(())
    });
    result.unwrap();
    let [free, racing, refused] = counts.get();
    println!("{free} free of races, {racing} with one, {refused} refused though they have none");
    assert!(free > racing / 20 && refused < free / 100, "{free} {racing} {refused}");
}

fn said(store: Linear, counts: [u64; 2]) -> bool {
    let body = Body { counts, starts: [0, 0], passes: 1, load: store.clone(), store, length: 1 << 20 };
    analysed(&body).0
}

#[test]
fn strides_that_leave_room_are_no_race() {
    let linear = |a: i64, b: i64, scalar| Linear { factors: [a, b, 0], offset: 0, scalar, wide: false };
    assert!(!said(linear(5, 1, U64), [9, 5]) && said(linear(4, 1, U64), [9, 5]));
    assert!(!said(linear(1, 9, U64), [9, 5]) && said(linear(0, 1, U64), [9, 5]) && !said(linear(0, 1, U64), [1, 5]));
    assert!(!said(linear(-5, 1, I32), [9, 5]));
    // 16 * 19 is 48 in eight bits, as 16 * 3 is.
    assert!(
        said(linear(16, 1, U8), [20, 1]) && !said(linear(16, 1, U16), [20, 1]) && !said(linear(16, 1, U8), [16, 1])
    );
}
