//! Expressions as instructions. Both sides of everything are computed: there are no effects, and no instruction traps.

use graph_ir::model::{BinaryOperator, ScalarType, UnaryOperator};

use super::body::{Body, Class, Register, arithmetic};
use super::{cast, float, integer, method, place};
use crate::scalar::facts;
use crate::scalar::typing::{Kind, Typed};

/// The register that holds the expression's value.
pub(super) fn emit(body: &mut Body, typed: &Typed) -> Register {
    if let Some(register) = body.invariant(typed) {
        return register;
    }
    match &typed.kind {
        Kind::Constant(bits) => body.constant(typed.scalar, *bits),
        Kind::Element(access, storage) => body.element(*access, *storage),
        Kind::Mail(access, storage) => body.mail(*access, *storage),
        Kind::Local(local) => body.locals[*local as usize],
        Kind::Load(load) => place::load(body, load),
        Kind::Host(slot) => body.host(*slot, typed.scalar),
        Kind::Unary(operator, operand) => {
            let value = emit(body, operand);
            unary(body, *operator, typed.scalar, value)
        }
        Kind::Binary(operator, operands)
            if matches!(operator, BinaryOperator::And | BinaryOperator::Or) && may_fault(&operands[1]) =>
        {
            lazy(body, *operator, operands)
        }
        Kind::Binary(operator, operands) => binary(body, *operator, operands),
        Kind::Cast(operand) => {
            let value = emit(body, operand);
            cast::emit(body, operand.scalar, typed.scalar, value)
        }
        Kind::Call(method, operands) => method::emit(body, *method, operands),
        Kind::Select(operands) if operands[1..].iter().any(may_fault) => branch(body, operands),
        Kind::Select(operands) => {
            let [condition, then, otherwise] = operands.each_ref().map(|operand| emit(body, operand));
            select(body, condition, then, otherwise)
        }
    }
}

fn unary(body: &mut Body, operator: UnaryOperator, scalar: ScalarType, value: Register) -> Register {
    match (operator, scalar) {
        (UnaryOperator::Not, ScalarType::Bool) => body.compute(Class::Predicate, "not.pred", &[&value]),
        (UnaryOperator::Not, _) => {
            let class = Class::of(scalar);
            let flipped = body.compute(class, &format!("not.{}", class.bits()), &[&value]);
            integer::normalise(body, scalar, flipped)
        }
        (UnaryOperator::Neg, _) => {
            let negated = body.compute(Class::of(scalar), &format!("neg.{}", arithmetic(scalar)), &[&value]);
            if facts::is_float(scalar) { negated } else { integer::normalise(body, scalar, negated) }
        }
    }
}

fn binary(body: &mut Body, operator: BinaryOperator, operands: &[Typed; 2]) -> Register {
    let scalar = operands[0].scalar;
    let [left, right] = operands.each_ref().map(|operand| emit(body, operand));
    match operator {
        BinaryOperator::Eq
        | BinaryOperator::Ne
        | BinaryOperator::Lt
        | BinaryOperator::Le
        | BinaryOperator::Gt
        | BinaryOperator::Ge => compare(body, operator, scalar, left, right),
        BinaryOperator::Shl | BinaryOperator::Shr => {
            integer::shift(body, operator, scalar, left, (right, operands[1].scalar))
        }
        BinaryOperator::BitAnd | BinaryOperator::And => bitwise(body, "and", left, right),
        BinaryOperator::BitOr | BinaryOperator::Or => bitwise(body, "or", left, right),
        BinaryOperator::BitXor => bitwise(body, "xor", left, right),
        _ if facts::is_float(scalar) => float::arithmetic(body, operator, scalar, left, right),
        _ => integer::arithmetic(body, operator, scalar, left, right),
    }
}

/// Extended operands give an extended result.
fn bitwise(body: &mut Body, instruction: &str, left: Register, right: Register) -> Register {
    body.compute(left.class, &format!("{instruction}.{}", left.class.bits()), &[&left, &right])
}

/// Every comparison with a NaN is false, except `!=`.
pub(super) fn compare(
    body: &mut Body,
    operator: BinaryOperator,
    scalar: ScalarType,
    mut left: Register,
    mut right: Register,
) -> Register {
    if scalar == ScalarType::Bool {
        left = body.word_of(left);
        right = body.word_of(right);
    }
    let relation = match operator {
        BinaryOperator::Eq => "eq",
        BinaryOperator::Ne if facts::is_float(scalar) => "neu",
        BinaryOperator::Ne => "ne",
        BinaryOperator::Lt => "lt",
        BinaryOperator::Le => "le",
        BinaryOperator::Gt => "gt",
        _ => "ge",
    };
    body.compute(Class::Predicate, &format!("setp.{relation}.{}", arithmetic(scalar)), &[&left, &right])
}

/// `then` if the condition holds.
pub(super) fn select(body: &mut Body, condition: Register, then: Register, otherwise: Register) -> Register {
    if then.class != Class::Predicate {
        return body.compute(then.class, &format!("selp.{}", then.class.bits()), &[&then, &otherwise, &condition]);
    }
    let taken = body.compute(Class::Predicate, "and.pred", &[&condition, &then]);
    let not = body.compute(Class::Predicate, "not.pred", &[&condition]);
    let other = body.compute(Class::Predicate, "and.pred", &[&not, &otherwise]);
    body.compute(Class::Predicate, "or.pred", &[&taken, &other])
}

/// Whether it has an index that is checked: then it is computed only where Rust does.
fn may_fault(typed: &Typed) -> bool {
    let mut found = false;
    typed.walk(&mut |part| found |= matches!(&part.kind, Kind::Load(load) if load.index.site.is_some()));
    found
}

/// `if`, of which only one side is computed.
fn branch(body: &mut Body, [condition, then, otherwise]: &[Typed; 3]) -> Register {
    let (other, end) = (body.label(), body.label());
    let value = body.register(Class::of(then.scalar));
    let holds = emit(body, condition);
    body.jump_unless(holds, other);
    let taken = emit(body, then);
    body.assign(value, taken);
    body.jump(end);
    body.mark(other);
    let taken = emit(body, otherwise);
    body.assign(value, taken);
    body.mark(end);
    value
}

/// `&&` and `||`, whose right side is computed if it decides.
fn lazy(body: &mut Body, operator: BinaryOperator, [left, right]: &[Typed; 2]) -> Register {
    let end = body.label();
    let left = emit(body, left);
    let value = body.copy(left);
    match operator {
        BinaryOperator::And => body.jump_unless(value, end),
        _ => body.jump_if(value, end),
    }
    let right = emit(body, right);
    body.assign(value, right);
    body.mark(end);
    value
}

/// Of floats: the other operand if one is NaN, and -0 is less than +0.
pub(super) fn extremum(
    body: &mut Body,
    instruction: &str,
    scalar: ScalarType,
    left: Register,
    right: Register,
) -> Register {
    body.compute(left.class, &format!("{instruction}.{}", arithmetic(scalar)), &[&left, &right])
}
