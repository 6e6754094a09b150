//! Reductions: accumulators that each take every so many indices, then a tree within the block, then the last block's tree over the
//! blocks' values. The order is that of [`crate::compute::reduce`], for any grid that it gives.

use graph_ir::model::{Combine, ScalarType};

use super::super::super::body::{Body, Class, Register};
use super::super::super::expression::{emit as value_of, extremum};
use super::super::super::statement::emit_all;
use super::super::super::{float, integer};
use super::vector::{Placed, Vectors};
use super::{axes, names, tree};
use crate::scalar::compute::{TypedCompute, TypedReduction};
use crate::scalar::facts;
use graph_ir::model::BinaryOperator;

/// Accumulators of one thread where elements are loaded together; else it has one.
pub(super) const LANES: u32 = 4;

/// How many rows of one buffer are loaded before the first is used; of two or more, half as many.
const AHEAD: u32 = 8;

/// Bodies of more parts are not repeated as often.
const SMALL: usize = 24;

/// The operation on values of one type.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) operator: Combine,
    pub(super) scalar: ScalarType,
}

impl Operation {
    /// What changes nothing.
    pub(super) fn neutral(self, body: &mut Body) -> Register {
        body.constant(self.scalar, facts::neutral(self.operator, self.scalar))
    }

    /// `left ⊕ right`
    pub(super) fn combine(self, body: &mut Body, left: Register, right: Register) -> Register {
        let operator = match self.operator {
            Combine::Sum => BinaryOperator::Add,
            Combine::Product => BinaryOperator::Mul,
            Combine::Min => return extremum(body, "min", self.scalar, left, right),
            Combine::Max => return extremum(body, "max", self.scalar, left, right),
        };
        if facts::is_float(self.scalar) {
            float::arithmetic(body, operator, self.scalar, left, right)
        } else {
            integer::arithmetic(body, operator, self.scalar, left, right)
        }
    }
}

/// Where a thread stands among the indices.
struct Rows {
    /// The number of its next index.
    position: Register,
    /// From one row to the next.
    step: Register,
    /// How many indices there are.
    total: Register,
    /// One for each index of a row.
    accumulators: Vec<Register>,
}

pub(super) fn emit(body: &mut Body, compute: &TypedCompute, reduction: &TypedReduction) {
    let operation = Operation { operator: reduction.operator, scalar: facts::value(reduction.storage) };
    let vectors = Vectors::of(compute);
    let rows = rows(body, compute, operation, vectors.as_ref().map_or(1, Vectors::lanes));
    if let Some(vectors) = &vectors {
        in_lanes(body, compute, reduction, vectors, operation, &rows);
    }
    one_by_one(body, compute, reduction, operation, &rows);
    tree::finish(body, operation, reduction, &rows.accumulators);
}

fn rows(body: &mut Body, compute: &TypedCompute, operation: Operation, lanes: u32) -> Rows {
    let total = axes::total(body, compute);
    let axes::Stride { first, step } = axes::stride(body, "x");
    let position = body.compute(Class::Long, "mul.lo.u64", &[&first, &lanes]);
    let step = body.compute(Class::Long, "mul.lo.u64", &[&step, &lanes]);
    let neutral = operation.neutral(body);
    let accumulators = (0..lanes).map(|_| body.copy(neutral)).collect();
    Rows { position: body.copy(position), step, total, accumulators }
}

/// Whole rows, several of them at once, as far as the addresses allow it.
fn in_lanes(
    body: &mut Body,
    compute: &TypedCompute,
    reduction: &TypedReduction,
    vectors: &Vectors,
    operation: Operation,
    rows: &Rows,
) {
    let arrays = vectors.addresses(body, compute);
    let end = body.label();
    let aligned = arrays.aligned(body);
    body.jump_unless(aligned, end);
    let mut parts = 0;
    compute.expressions(&mut |_| parts += 1);
    let most = if vectors.buffers() == 1 { AHEAD } else { AHEAD / 2 };
    let counts = if parts <= SMALL { &[most, 1][..] } else { &[1] };
    for ahead in counts {
        let step = Step { compute, reduction, vectors, operation, accumulators: &rows.accumulators };
        step.rows(body, &arrays, rows, *ahead);
    }
    body.mark(end);
}

/// What one pass over whole rows does.
struct Step<'s> {
    compute: &'s TypedCompute,
    reduction: &'s TypedReduction,
    vectors: &'s Vectors,
    operation: Operation,
    accumulators: &'s [Register],
}

impl Step<'_> {
    /// As long as there are so many whole rows.
    fn rows(&self, body: &mut Body, arrays: &Placed<'_>, rows: &Rows, ahead: u32) {
        let Rows { position, step, total, .. } = rows;
        let (head, end) = (body.label(), body.label());
        body.mark(head);
        let mut positions = vec![*position];
        for row in 1..ahead as usize {
            positions.push(body.compute(Class::Long, "add.u64", &[&positions[row - 1], step]));
        }
        let last = body.compute(Class::Long, "add.u64", &[&positions[ahead as usize - 1], &(LANES - 1)]);
        let over = body.compute(Class::Predicate, "setp.ge.u64", &[&last, total]);
        body.jump_if(over, end);
        let loaded: Vec<_> = positions.iter().map(|position| arrays.load(body, *position)).collect();
        for (position, mut values) in positions.iter().zip(loaded) {
            for lane in 0..LANES {
                let number = body.compute(Class::Long, "add.u64", &[position, &lane]);
                names(body, self.compute);
                axes::set(body, self.compute, 0, number);
                values.enter(body, self.vectors, lane);
                self.take(body, self.accumulators[lane as usize]);
            }
            body.lanes.clear();
            arrays.store(body, *position, &values);
        }
        let next = body.compute(Class::Long, "add.u64", &[&positions[ahead as usize - 1], step]);
        body.assign(*position, next);
        body.jump(head);
        body.mark(end);
    }

    fn take(&self, body: &mut Body, accumulator: Register) {
        take(body, self.compute, self.reduction, self.operation, accumulator);
    }
}

/// Combines the value of one index into an accumulator.
fn take(
    body: &mut Body,
    compute: &TypedCompute,
    reduction: &TypedReduction,
    operation: Operation,
    accumulator: Register,
) {
    emit_all(body, &compute.body);
    let value = value_of(body, &reduction.value);
    let combined = operation.combine(body, accumulator, value);
    body.assign(accumulator, combined);
}

/// Index by index; the accumulators take turns, so that the body stands here once.
fn one_by_one(body: &mut Body, compute: &TypedCompute, reduction: &TypedReduction, operation: Operation, rows: &Rows) {
    let Rows { position, step, total, accumulators } = rows;
    let (head, end, each, skip) = (body.label(), body.label(), body.label(), body.label());
    body.mark(head);
    let over = body.compute(Class::Predicate, "setp.ge.u64", &[position, total]);
    body.jump_if(over, end);
    let zero = body.constant(ScalarType::U64, 0);
    let lane = body.copy(zero);
    body.mark(each);
    let number = body.compute(Class::Long, "add.u64", &[position, &lane]);
    let outside = body.compute(Class::Predicate, "setp.ge.u64", &[&number, total]);
    body.jump_if(outside, skip);
    names(body, compute);
    axes::set_all(body, compute, number);
    take(body, compute, reduction, operation, accumulators[0]);
    body.mark(skip);
    if let [first, .., last] = accumulators[..] {
        let taken = body.copy(first);
        for pair in accumulators.windows(2) {
            body.assign(pair[0], pair[1]);
        }
        body.assign(last, taken);
        body.line(format_args!("add.u64 {lane}, {lane}, 1"));
        let again = body.compute(Class::Predicate, "setp.lt.u64", &[&lane, &accumulators.len()]);
        body.jump_if(again, each);
    }
    body.line(format_args!("add.u64 {position}, {position}, {step}"));
    body.jump(head);
    body.mark(end);
}
