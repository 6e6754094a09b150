//! `kernel for`: a loop over the indices with the grid's stride along each axis.

use super::super::super::body::{Body, Class, Label, Register};
use super::super::super::statement::emit_all;
use super::axes::{self, Stride};
use super::names;
use super::vector::{Placed, Vectors};
use crate::scalar::compute::TypedCompute;

/// The last axis runs along the grid's `x`.
const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

pub(super) fn emit(body: &mut Body, compute: &TypedCompute) {
    match Vectors::of(compute) {
        Some(vectors) => in_lanes(body, compute, &vectors),
        None => one_by_one(body, compute),
    }
}

/// An axis while its loop is open.
struct Open {
    number: Register,
    step: Register,
    head: Label,
    end: Label,
}

fn one_by_one(body: &mut Body, compute: &TypedCompute) {
    let rank = compute.axes.len();
    let strides: Vec<Stride> = (0..rank).map(|axis| axes::stride(body, DIMENSIONS[rank - 1 - axis])).collect();
    let counts: Vec<Register> = (0..rank).map(|axis| axes::count(body, axis)).collect();
    let mut open = Vec::with_capacity(rank);
    for (axis, (Stride { first, step }, count)) in strides.into_iter().zip(counts).enumerate() {
        let (number, head, end) = (body.copy(first), body.label(), body.label());
        body.mark(head);
        let over = body.compute(Class::Predicate, "setp.ge.u64", &[&number, &count]);
        body.jump_if(over, end);
        axes::set(body, compute, axis, number);
        open.push(Open { number, step, head, end });
    }
    emit_all(body, &compute.body);
    for Open { number, step, head, end } in open.into_iter().rev() {
        body.line(format_args!("add.u64 {number}, {number}, {step}"));
        body.jump(head);
        body.mark(end);
    }
}

/// Neighbouring indices together, as far as all addresses allow it; the others one by one.
fn in_lanes(body: &mut Body, compute: &TypedCompute, vectors: &Vectors) {
    let Stride { first, step } = axes::stride(body, "x");
    let count = axes::count(body, 0);
    let arrays = vectors.addresses(body, compute);
    let front = arrays.front(body, count);
    let rest = body.compute(Class::Long, "sub.u64", &[&count, &front]);
    let groups = body.compute(Class::Long, "shr.u64", &[&rest, &vectors.lanes().trailing_zeros()]);
    grouped(body, compute, vectors, &arrays, [first, step, front, groups]);
    single(body, compute, vectors, [first, step, front, groups, count]);
}

fn grouped(
    body: &mut Body,
    compute: &TypedCompute,
    vectors: &Vectors,
    arrays: &Placed<'_>,
    [first, step, front, groups]: [Register; 4],
) {
    let (group, head, end) = (body.copy(first), body.label(), body.label());
    body.mark(head);
    let over = body.compute(Class::Predicate, "setp.ge.u64", &[&group, &groups]);
    body.jump_if(over, end);
    let position = body.compute(Class::Long, "mad.lo.u64", &[&group, &vectors.lanes(), &front]);
    let mut values = arrays.load(body, position);
    for lane in 0..vectors.lanes() {
        let number = body.compute(Class::Long, "add.u64", &[&position, &lane]);
        names(body, compute);
        axes::set(body, compute, 0, number);
        values.enter(body, vectors, lane);
        emit_all(body, &compute.body);
    }
    body.lanes.clear();
    arrays.store(body, position, &values);
    body.line(format_args!("add.u64 {group}, {group}, {step}"));
    body.jump(head);
    body.mark(end);
}

/// What lies in front of the groups and behind them.
fn single(
    body: &mut Body,
    compute: &TypedCompute,
    vectors: &Vectors,
    [first, step, front, groups, count]: [Register; 5],
) {
    let grouped = body.compute(Class::Long, "shl.b64", &[&groups, &vectors.lanes().trailing_zeros()]);
    let singles = body.compute(Class::Long, "sub.u64", &[&count, &grouped]);
    let (single, head, end) = (body.copy(first), body.label(), body.label());
    body.mark(head);
    let over = body.compute(Class::Predicate, "setp.ge.u64", &[&single, &singles]);
    body.jump_if(over, end);
    let behind = body.compute(Class::Predicate, "setp.ge.u64", &[&single, &front]);
    let further = body.compute(Class::Long, "add.u64", &[&single, &grouped]);
    let number = body.compute(Class::Long, "selp.b64", &[&further, &single, &behind]);
    names(body, compute);
    axes::set(body, compute, 0, number);
    emit_all(body, &compute.body);
    body.line(format_args!("add.u64 {single}, {single}, {step}"));
    body.jump(head);
    body.mark(end);
}
