//! Statements of a body.

use graph_ir::model::ScalarType;

use super::body::{self, Body, Class, Label};
use super::expression::emit;
use super::place;
use crate::scalar::compute::TypedStatement;
use crate::scalar::typing::Typed;

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
struct Loop {
    next: Label,
    end: Label,
}

/// Emits statements one after another.
pub(super) fn emit_all(body: &mut Body, statements: &[TypedStatement]) {
    within(body, statements, &[]);
}

fn within(body: &mut Body, statements: &[TypedStatement], around: &[Loop]) {
    for statement in statements {
        one(body, statement, around);
    }
}

fn one(body: &mut Body, statement: &TypedStatement, around: &[Loop]) {
    match statement {
        TypedStatement::Assign(local, value) => {
            let value = emit(body, value);
            let local = body.locals[*local as usize];
            body.assign(local, value);
        }
        TypedStatement::Store { access, storage, index, value } => place::store(body, *access, *storage, index, value),
        TypedStatement::If(condition, then, otherwise) => branch(body, condition, then, otherwise, around),
        TypedStatement::For { local, range, inclusive, body: pass } => {
            count(body, (*local, range, *inclusive), pass, around);
        }
        TypedStatement::While(condition, pass) => repeat(body, condition, pass, around),
        TypedStatement::Break(loops) => {
            if let Some(left) = around.iter().rev().nth(*loops as usize) {
                body.jump(left.end);
            }
        }
        TypedStatement::Continue(loops) => {
            if let Some(left) = around.iter().rev().nth(*loops as usize) {
                body.jump(left.next);
            }
        }
    }
}

fn branch(body: &mut Body, condition: &Typed, then: &[TypedStatement], otherwise: &[TypedStatement], around: &[Loop]) {
    let (other, end) = (body.label(), body.label());
    let holds = emit(body, condition);
    body.jump_unless(holds, other);
    within(body, then, around);
    if !otherwise.is_empty() {
        body.jump(end);
    }
    body.mark(other);
    within(body, otherwise, around);
    body.mark(end);
}

/// The index is below the end when it is counted up, so it does not wrap.
fn count(
    body: &mut Body,
    (local, [start, end], inclusive): (u32, &[Typed; 2], bool),
    pass: &[TypedStatement],
    outer: &[Loop],
) {
    let scalar: ScalarType = start.scalar;
    let suffix = body::arithmetic(scalar);
    let first = emit(body, start);
    let last = emit(body, end);
    let (counter, last) = (body.copy(first), body.copy(last));
    let (head, around) = (body.label(), Loop { next: body.label(), end: body.label() });
    body.mark(head);
    let relation = if inclusive { "gt" } else { "ge" };
    let over = body.compute(Class::Predicate, &format!("setp.{relation}.{suffix}"), &[&counter, &last]);
    body.jump_if(over, around.end);
    let local = body.locals[local as usize];
    body.assign(local, counter);
    within(body, pass, &[outer, &[around]].concat());
    body.mark(around.next);
    if inclusive {
        let done = body.compute(Class::Predicate, &format!("setp.eq.{suffix}"), &[&counter, &last]);
        body.jump_if(done, around.end);
    }
    body.line(format_args!("add.{suffix} {counter}, {counter}, 1"));
    body.jump(head);
    body.mark(around.end);
}

fn repeat(body: &mut Body, condition: &Typed, pass: &[TypedStatement], outer: &[Loop]) {
    let around = Loop { next: body.label(), end: body.label() };
    body.mark(around.next);
    let holds = emit(body, condition);
    body.jump_unless(holds, around.end);
    within(body, pass, &[outer, &[around]].concat());
    body.jump(around.next);
    body.mark(around.end);
}
