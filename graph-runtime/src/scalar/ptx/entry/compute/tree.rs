//! The tree of a reduction: neighbours first within a thread, a warp and a block, then over the blocks.

use graph_ir::model::ScalarType;

use super::super::super::body::{Body, Class, Register};
use super::reduction::Operation;
use crate::compute::reduce::WIDTH;
use crate::scalar::compute::TypedReduction;
use crate::scalar::facts;

/// Threads of a warp.
const WARP: u32 = 32;

/// One value each from the warps.
const SHARED: &str = ".shared .align 8 .b8 values[256]";

/// Whether this block is the last one.
const FLAG: &str = ".shared .align 4 .u32 last";

/// From the accumulators to the target's element.
pub(super) fn finish(body: &mut Body, operation: Operation, reduction: &TypedReduction, accumulators: &[Register]) {
    body.line(SHARED);
    body.line(FLAG);
    let thread = body.compute(Class::Word, "mov.u32", &[&"%tid.x"]);
    let value = block(body, operation, thread, accumulators);
    let result = body.copy(value);
    let (end, write) = (body.label(), body.label());
    let blocks = body.compute(Class::Word, "mov.u32", &[&"%nctaid.x"]);
    let alone = body.compute(Class::Predicate, "setp.eq.u32", &[&blocks, &1]);
    body.jump_if(alone, write);
    let last = hand_in(body, operation.scalar, thread, blocks, result);
    body.jump_unless(last, end);
    let values = collect(body, operation, thread, blocks, accumulators.len() as u32);
    let value = block(body, operation, thread, &values);
    body.assign(result, value);
    body.mark(write);
    let other = body.compute(Class::Predicate, "setp.ne.u32", &[&thread, &0]);
    body.jump_if(other, end);
    store(body, operation, reduction, result);
    body.mark(end);
}

/// The value of all threads' values, in the first warp.
fn block(body: &mut Body, operation: Operation, thread: Register, accumulators: &[Register]) -> Register {
    let warps = WIDTH as u32 / accumulators.len() as u32 / WARP;
    let mut values = accumulators.to_vec();
    while values.len() > 1 {
        values = values.chunks(2).map(|pair| operation.combine(body, pair[0], pair[pair.len() - 1])).collect();
    }
    let mut value = values[0];
    value = warp(body, operation, value, WARP / 2);
    let base = body.compute(Class::Word, "mov.u32", &[&"values"]);
    let lane = body.compute(Class::Word, "and.b32", &[&thread, &(WARP - 1)]);
    let number = body.compute(Class::Word, "shr.u32", &[&thread, &WARP.trailing_zeros()]);
    let first = body.compute(Class::Predicate, "setp.eq.u32", &[&lane, &0]);
    let place = body.compute(Class::Word, "mad.lo.u32", &[&number, &8, &base]);
    let bits = word(value.class);
    body.line(format_args!("@{first} st.shared.{bits} [{place}], {value}"));
    body.line("bar.sync 0");
    let mine = body.compute(Class::Word, "and.b32", &[&thread, &(warps - 1)]);
    let place = body.compute(Class::Word, "mad.lo.u32", &[&mine, &8, &base]);
    let value = body.compute(value.class, &format!("ld.shared.{bits}"), &[&format_args!("[{place}]")]);
    warp(body, operation, value, warps / 2)
}

/// Combines with the neighbour, then with the neighbours' neighbours: operations commute, so both sides get the same.
fn warp(body: &mut Body, operation: Operation, mut value: Register, widest: u32) -> Register {
    let mut distance = 1;
    while distance <= widest {
        let other = exchange(body, value, distance);
        value = operation.combine(body, value, other);
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
    let partials = body.address("partials");
    let number = body.compute(Class::Word, "mov.u32", &[&"%ctaid.x"]);
    let place = body.compute(Class::Long, "mad.wide.u32", &[&number, &8, &partials]);
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

/// The blocks' values, a few for each thread; neutral ones where there is no block.
fn collect(body: &mut Body, operation: Operation, thread: Register, blocks: Register, lanes: u32) -> Vec<Register> {
    body.line("fence.acq_rel.gpu");
    let partials = body.address("partials");
    let first = body.compute(Class::Word, "mul.lo.u32", &[&thread, &lanes]);
    let bits = word(Class::of(operation.scalar));
    let take = |lane: u32| {
        let neutral = operation.neutral(body);
        let value = body.copy(neutral);
        let number = body.compute(Class::Word, "add.u32", &[&first, &lane]);
        let there = body.compute(Class::Predicate, "setp.lt.u32", &[&number, &blocks]);
        let place = body.compute(Class::Long, "mad.wide.u32", &[&number, &8, &partials]);
        body.line(format_args!("@{there} ld.relaxed.gpu.global.{bits} {value}, [{place}]"));
        value
    };
    (0..lanes).map(take).collect()
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
