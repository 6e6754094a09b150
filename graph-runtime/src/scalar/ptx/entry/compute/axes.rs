//! Indices from numbers of threads.

use graph_ir::model::ScalarType;

use super::super::super::body::{self, Body, Class, Register};
use super::super::super::integer::normalise;
use crate::scalar::compute::TypedCompute;

/// A thread's first number along a dimension of the grid, and by how much it goes on.
pub(super) struct Stride {
    /// The first number.
    pub(super) first: Register,
    /// The grid's threads along this dimension.
    pub(super) step: Register,
}

/// Along `x`, `y` or `z`.
pub(super) fn stride(body: &mut Body, dimension: &str) -> Stride {
    let mut special = |name: &str| body.compute(Class::Word, "mov.u32", &[&format_args!("%{name}.{dimension}")]);
    let [block, threads, thread, blocks] = ["ctaid", "ntid", "tid", "nctaid"].map(&mut special);
    let thread = body.compute(Class::Long, "cvt.u64.u32", &[&thread]);
    let first = body.compute(Class::Long, "mad.wide.u32", &[&block, &threads, &thread]);
    let step = body.compute(Class::Long, "mul.wide.u32", &[&blocks, &threads]);
    Stride { first, step }
}

/// How many indices an axis has.
pub(super) fn count(body: &mut Body, axis: usize) -> Register {
    body.parameter(&format!("count_{axis}"))
}

/// The first index of an axis.
pub(super) fn start(body: &mut Body, axis: usize, scalar: ScalarType) -> Register {
    body.load("param", scalar, &format_args!("[start_{axis}]"))
}

/// Gives an axis its index with this number.
pub(super) fn set(body: &mut Body, compute: &TypedCompute, axis: usize, number: Register) {
    let (local, scalar) = compute.axes[axis];
    let start = start(body, axis, scalar);
    let class = Class::of(scalar);
    let number = match class {
        Class::Long => number,
        _ => body.compute(Class::Word, "cvt.u32.u64", &[&number]),
    };
    let index = body.compute(class, &format!("add.{}", body::arithmetic(scalar)), &[&start, &number]);
    let index = normalise(body, scalar, index);
    let local = body.locals[local as usize];
    body.assign(local, index);
}

/// Gives all axes the indices of the one with this number, the last axis fastest.
pub(super) fn set_all(body: &mut Body, compute: &TypedCompute, number: Register) {
    let mut number = number;
    for axis in (1..compute.axes.len()).rev() {
        let count = count(body, axis);
        let quotient = divide(body, number, count);
        let whole = body.compute(Class::Long, "mul.lo.u64", &[&quotient, &count]);
        let along = body.compute(Class::Long, "sub.u64", &[&number, &whole]);
        set(body, compute, axis, along);
        number = quotient;
    }
    set(body, compute, 0, number);
}

/// `number / count`; in 32 bits where they are enough, which takes a fraction of the time.
fn divide(body: &mut Body, number: Register, count: Register) -> Register {
    let (wide, end) = (body.label(), body.label());
    let both = body.compute(Class::Long, "or.b64", &[&number, &count]);
    let over = body.compute(Class::Predicate, "setp.gt.u64", &[&both, &u32::MAX]);
    let quotient = body.register(Class::Long);
    body.jump_if(over, wide);
    let [dividend, divisor] = [number, count].map(|long| body.compute(Class::Word, "cvt.u32.u64", &[&long]));
    let narrow = body.compute(Class::Word, "div.u32", &[&dividend, &divisor]);
    body.line(format_args!("cvt.u64.u32 {quotient}, {narrow}"));
    body.jump(end);
    body.mark(wide);
    body.line(format_args!("div.u64 {quotient}, {number}, {count}"));
    body.mark(end);
    quotient
}

/// How many indices all axes have together.
pub(super) fn total(body: &mut Body, compute: &TypedCompute) -> Register {
    let mut total = count(body, 0);
    for axis in 1..compute.axes.len() {
        let count = count(body, axis);
        total = body.compute(Class::Long, "mul.lo.u64", &[&total, &count]);
    }
    total
}
