//! The tree of a reduction: neighbours first within a thread, a warp and a block, then over the blocks.

use graph_ir::model::ScalarType;

use super::super::super::body::{Body, Class, Register};
use super::super::super::parameter::MOST_BLOCKS;
use super::reduction::Operation;
use crate::scalar::compute::{Collected, TypedReduction};
use crate::scalar::facts;

/// Threads of a warp.
const WARP: u32 = 32;

/// Threads of a block where there are more blocks than one, at least.
const LEAST_THREADS: u32 = 128;

/// One value each from the warps.
const SHARED: &str = ".shared .align 8 .b8 values[256]";

/// Whether this block is the last one.
const FLAG: &str = ".shared .align 4 .u32 last";

/// What blocks share.
pub(super) fn declare(body: &mut Body) {
    body.line(SHARED);
    body.line(FLAG);
}

/// A thread's number in its block, and how many there are.
#[derive(Clone, Copy)]
struct Threads {
    own: Register,
    all: Register,
}

impl Threads {
    /// The number along `x` runs fastest, as in warps.
    fn of(body: &mut Body) -> Self {
        let [x, y, z] = ["x", "y", "z"].map(|axis| {
            ["tid", "ntid"].map(|name| body.compute(Class::Word, "mov.u32", &[&format_args!("%{name}.{axis}")]))
        });
        let plane = body.compute(Class::Word, "mad.lo.u32", &[&z[0], &y[1], &y[0]]);
        let own = body.compute(Class::Word, "mad.lo.u32", &[&plane, &x[1], &x[0]]);
        let plane = body.compute(Class::Word, "mul.lo.u32", &[&x[1], &y[1]]);
        Self { own, all: body.compute(Class::Word, "mul.lo.u32", &[&plane, &z[1]]) }
    }
}

/// Combines the values of another reduction's blocks, in every block; the first one stores the result.
pub(super) fn collected(body: &mut Body, number: usize, collected: &Collected) {
    let operation = Operation { operator: collected.operator, scalar: collected.scalar };
    let threads = Threads::of(body);
    let partials = body.address(&format!("collected_{number}"));
    let blocks = body.parameter(&format!("blocks_{number}"));
    let blocks = body.compute(Class::Word, "cvt.u32.u64", &[&blocks]);
    let values = collect(body, operation, threads.own, blocks, partials);
    let value = block(body, operation, threads, &values);
    // The memory between the warps is used again.
    body.line("bar.sync 0");
    let Some(access) = collected.accesses.first() else { return };
    let place = body.address(&format!("access_{access}"));
    let mut any = threads.own;
    for axis in ["x", "y", "z"] {
        let block = body.compute(Class::Word, "mov.u32", &[&format_args!("%ctaid.{axis}")]);
        any = body.compute(Class::Word, "or.b32", &[&any, &block]);
    }
    let first = body.compute(Class::Predicate, "setp.eq.u32", &[&any, &0]);
    body.line(format_args!("@{first} st.global.{} [{place}], {value}", word(value.class)));
    collected.accesses.iter().for_each(|access| body.set_element(*access, value));
}

/// From the accumulators to the target's element.
pub(super) fn finish(body: &mut Body, operation: Operation, reduction: &TypedReduction, accumulators: &[Register]) {
    let threads = Threads::of(body);
    let thread = threads.own;
    let value = block(body, operation, threads, accumulators);
    if reduction.deferred {
        let place = partial(body);
        let first = body.compute(Class::Predicate, "setp.eq.u32", &[&thread, &0]);
        return body.line(format_args!("@{first} st.global.{} [{place}], {value}", word(value.class)));
    }
    let result = body.copy(value);
    let (end, write) = (body.label(), body.label());
    let blocks = body.compute(Class::Word, "mov.u32", &[&"%nctaid.x"]);
    let alone = body.compute(Class::Predicate, "setp.eq.u32", &[&blocks, &1]);
    body.jump_if(alone, write);
    let last = hand_in(body, operation.scalar, thread, blocks, result);
    body.jump_unless(last, end);
    body.line("fence.acq_rel.gpu");
    let partials = body.address("partials");
    let values = collect(body, operation, thread, blocks, partials);
    let value = block(body, operation, threads, &values);
    body.assign(result, value);
    body.mark(write);
    let other = body.compute(Class::Predicate, "setp.ne.u32", &[&thread, &0]);
    body.jump_if(other, end);
    store(body, operation, reduction, result);
    body.mark(end);
}

/// The value of all threads' values, in every thread.
fn block(body: &mut Body, operation: Operation, threads: Threads, accumulators: &[Register]) -> Register {
    let thread = threads.own;
    let mut values = accumulators.to_vec();
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| operation.combine(body, pair[0], pair[pair.len() - 1])).collect();
    }
    let mut value = values[0];
    value = warp(body, operation, value, None);
    let base = body.compute(Class::Word, "mov.u32", &[&"values"]);
    let lane = body.compute(Class::Word, "and.b32", &[&thread, &(WARP - 1)]);
    let number = body.compute(Class::Word, "shr.u32", &[&thread, &WARP.trailing_zeros()]);
    let first = body.compute(Class::Predicate, "setp.eq.u32", &[&lane, &0]);
    let place = body.compute(Class::Word, "mad.lo.u32", &[&number, &8, &base]);
    let bits = word(value.class);
    body.line(format_args!("@{first} st.shared.{bits} [{place}], {value}"));
    body.line("bar.sync 0");
    let warps = body.compute(Class::Word, "shr.u32", &[&threads.all, &WARP.trailing_zeros()]);
    let most = body.compute(Class::Word, "sub.u32", &[&warps, &1]);
    let mine = body.compute(Class::Word, "and.b32", &[&thread, &most]);
    let place = body.compute(Class::Word, "mad.lo.u32", &[&mine, &8, &base]);
    let value = body.compute(value.class, &format!("ld.shared.{bits}"), &[&format_args!("[{place}]")]);
    warp(body, operation, value, Some(warps))
}

/// Combines with the neighbour, then with the neighbours' neighbours, of so many threads if not of all: operations commute, so both
/// sides get the same.
fn warp(body: &mut Body, operation: Operation, value: Register, threads: Option<Register>) -> Register {
    let value = body.copy(value);
    let mut distance = 1;
    while distance < WARP {
        let other = exchange(body, value, distance);
        let combined = operation.combine(body, value, other);
        match threads {
            None => body.assign(value, combined),
            Some(threads) => {
                let inside = body.compute(Class::Predicate, "setp.lt.u32", &[&distance, &threads]);
                let bits = value.class.bits();
                body.line(format_args!("selp.{bits} {value}, {combined}, {value}, {inside}"));
            }
        }
        distance *= 2;
    }
    value
}

/// The value of the thread whose number differs by this bit.
fn exchange(body: &mut Body, value: Register, distance: u32) -> Register {
    let shuffle = |body: &mut Body, word: Register| {
        body.compute(Class::Word, "shfl.sync.bfly.b32", &[&word, &distance, &"0x1f", &"0xffffffff"])
    };
    match value.class {
        Class::Long | Class::Double => {
            let (low, high) = (body.register(Class::Word), body.register(Class::Word));
            body.line(format_args!("mov.b64 {{{low}, {high}}}, {value}"));
            let [low, high] = [low, high].map(|half| shuffle(body, half));
            body.compute(value.class, "mov.b64", &[&format_args!("{{{low}, {high}}}")])
        }
        Class::Single => {
            let bits = body.compute(Class::Word, "mov.b32", &[&value]);
            let other = shuffle(body, bits);
            body.compute(Class::Single, "mov.b32", &[&other])
        }
        _ => shuffle(body, value),
    }
}

/// Puts the block's value among the others; whether it is the last one to come. Tickets start at zero again behind the last.
fn hand_in(body: &mut Body, scalar: ScalarType, thread: Register, blocks: Register, value: Register) -> Register {
    let bits = word(Class::of(scalar));
    let wait = body.label();
    let flag = body.compute(Class::Word, "mov.u32", &[&"last"]);
    let other = body.compute(Class::Predicate, "setp.ne.u32", &[&thread, &0]);
    body.jump_if(other, wait);
    let place = partial(body);
    body.line(format_args!("st.global.{bits} [{place}], {value}"));
    body.line("fence.acq_rel.gpu");
    let ticket = body.address("ticket");
    let most = body.compute(Class::Word, "sub.u32", &[&blocks, &1]);
    let mine = body.compute(Class::Word, "atom.relaxed.gpu.global.inc.u32", &[&format_args!("[{ticket}]"), &most]);
    let is_last = body.compute(Class::Predicate, "setp.eq.u32", &[&mine, &most]);
    let word = body.word_of(is_last);
    body.line("fence.acq_rel.gpu");
    body.line(format_args!("st.shared.u32 [{flag}], {word}"));
    body.mark(wait);
    body.line("bar.sync 0");
    let word = body.compute(Class::Word, "ld.shared.u32", &[&format_args!("[{flag}]")]);
    body.compute(Class::Predicate, "setp.ne.u32", &[&word, &0])
}

/// How many blocks' values a thread combines.
const SHARE: u32 = MOST_BLOCKS / LEAST_THREADS;

/// Where this block's value goes: those that one thread combines lie apart, so that threads load neighbours.
fn partial(body: &mut Body) -> Register {
    let partials = body.address("partials");
    let number = body.compute(Class::Word, "mov.u32", &[&"%ctaid.x"]);
    let thread = body.compute(Class::Word, "shr.u32", &[&number, &SHARE.trailing_zeros()]);
    let slot = body.compute(Class::Word, "and.b32", &[&number, &(SHARE - 1)]);
    let place = body.compute(Class::Word, "mad.lo.u32", &[&slot, &LEAST_THREADS, &thread]);
    body.compute(Class::Long, "mad.wide.u32", &[&place, &8, &partials])
}

/// The blocks' values, a few for each of the first threads; neutral ones where there is no block.
fn collect(
    body: &mut Body,
    operation: Operation,
    thread: Register,
    blocks: Register,
    partials: Register,
) -> Vec<Register> {
    let first = body.compute(Class::Word, "mul.lo.u32", &[&thread, &SHARE]);
    let own = body.compute(Class::Long, "mad.wide.u32", &[&thread, &8, &partials]);
    let bits = word(Class::of(operation.scalar));
    let take = |slot: u32| {
        let neutral = operation.neutral(body);
        let value = body.copy(neutral);
        let number = body.compute(Class::Word, "add.u32", &[&first, &slot]);
        let there = body.compute(Class::Predicate, "setp.lt.u32", &[&number, &blocks]);
        body.line(format_args!("@{there} ld.global.{bits} {value}, [{own}+{}]", slot * LEAST_THREADS * 8));
        value
    };
    (0..SHARE).map(take).collect()
}

fn store(body: &mut Body, operation: Operation, reduction: &TypedReduction, value: Register) {
    let address = body.address("access_0");
    let mut value = value;
    if reduction.accumulate {
        let old = body.load("global", reduction.storage, &format_args!("[{address}]"));
        value = operation.combine(body, old, value);
    }
    debug_assert_eq!(facts::value(reduction.storage), operation.scalar, "the solver has unified them");
    body.store(address, reduction.storage, value);
}

/// `b32` or `b64`: what moves a value of this class.
fn word(class: Class) -> &'static str {
    match class {
        Class::Long | Class::Double => "b64",
        _ => "b32",
    }
}
