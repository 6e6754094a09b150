//! `while` and `loop`: whether there is a first pass, and whether there is another.

use graph_ir::model::ScalarType;

use super::super::body::{Body, Class, Register};
use super::super::expression::emit;
use super::super::parameter::Target;
use super::Assigned;
use super::assignment::emit_all;
use super::decision::decide;
use crate::plan::LoopState;
use crate::scalar::typing::Typed;

/// Before the node: no pass was made, and there is one if the test holds and the limit is not zero.
pub(super) fn enter(target: Target, test: Option<&Typed>) -> String {
    let mut body = Body::default();
    let limit = body.parameter("limit");
    let passes = body.constant(ScalarType::U64, 0);
    let room = body.compute(Class::Predicate, "setp.ne.u64", &[&limit, &0]);
    decide_pass(body, target, test, passes, room)
}

/// At the end of the body: the assignments are made, then there is another pass if the test holds and the limit is not reached.
pub(super) fn again(target: Target, assignments: &[Assigned], test: Option<&Typed>) -> String {
    let mut body = Body::default();
    let state = body.address("state");
    let limit = body.parameter("limit");
    let every = body.parameter("every");
    let before = body.compute(Class::Long, "ld.global.u64", &[&format_args!("[{state}]")]);
    emit_all(&mut body, assignments);
    let passes = body.compute(Class::Long, "add.u64", &[&before, &every]);
    let room = body.compute(Class::Predicate, "setp.lt.u64", &[&passes, &limit]);
    decide_pass(body, target, test, passes, room)
}

/// At the end of the body of a loop whose condition a kernel has set: counts the passes, and ends the loop at its limit.
pub(super) fn counted(target: Target) -> String {
    let mut body = Body::default();
    let state = body.address("state");
    let limit = body.parameter("limit");
    let every = body.parameter("every");
    let before = body.compute(Class::Long, "ld.global.u64", &[&format_args!("[{state}]")]);
    let passes = body.compute(Class::Long, "add.u64", &[&before, &every]);
    let room = body.compute(Class::Predicate, "setp.lt.u64", &[&passes, &limit]);
    let exit = exit(&mut body, LoopState::CONDITION, LoopState::LIMIT, room);
    body.line(format_args!("st.global.v2.u64 [{state}], {{{passes}, {exit}}}"));
    body.line(format_args!("@{room} ret"));
    let ended = body.constant(ScalarType::U32, 0);
    decide(&mut body, target, ended);
    body.finish()
}

/// Stores the counters and decides. Without room while the test holds, the limit has ended the loop; else its condition has, if at all.
fn decide_pass(mut body: Body, target: Target, test: Option<&Typed>, passes: Register, room: Register) -> String {
    let mut going = room;
    let mut exit = exit(&mut body, LoopState::NOT_RUN, LoopState::LIMIT, room);
    if let Some(test) = test {
        let holds = emit(&mut body, test);
        going = body.compute(Class::Predicate, "and.pred", &[&holds, &room]);
        exit = body.compute(Class::Long, "selp.b64", &[&exit, &LoopState::CONDITION, &holds]);
    }
    let state = body.address("state");
    body.line(format_args!("st.global.v2.u64 [{state}], {{{passes}, {exit}}}"));
    let value = body.word_of(going);
    decide(&mut body, target, value);
    body.finish()
}

fn exit(body: &mut Body, open: u64, ended: u64, room: Register) -> Register {
    body.compute(Class::Long, "selp.b64", &[&open, &ended, &room])
}
