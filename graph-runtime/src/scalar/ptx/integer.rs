//! Integers: they wrap, dividing by zero gives zero, shift amounts are masked.

use graph_ir::model::{BinaryOperator, Method, ScalarType};

use super::bits;
use super::body::{self, Body, Class, Register};
use super::expression::select;
use crate::scalar::facts;

/// Extends the low bits of a word, for types of fewer than 32 bits.
pub(super) fn normalise(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let width = facts::width(scalar);
    match (width < 32, facts::is_signed(scalar)) {
        (false, _) => value,
        (true, true) => body.compute(Class::Word, "bfe.s32", &[&value, &0, &width]),
        (true, false) => body.compute(Class::Word, "and.b32", &[&value, &format_args!("0x{:x}", (1_u32 << width) - 1)]),
    }
}

/// `+ - * / %`.
pub(super) fn arithmetic(
    body: &mut Body,
    operator: BinaryOperator,
    scalar: ScalarType,
    left: Register,
    right: Register,
) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let instruction = match operator {
        BinaryOperator::Add => format!("add.{suffix}"),
        BinaryOperator::Sub => format!("sub.{suffix}"),
        BinaryOperator::Mul => format!("mul.lo.{suffix}"),
        _ => return divide(body, operator, scalar, left, right),
    };
    let value = body.compute(class, &instruction, &[&left, &right]);
    normalise(body, scalar, value)
}

/// Divides by 1 where the divisor is 0 or -1, and puts the right result in place afterwards.
fn divide(body: &mut Body, operator: BinaryOperator, scalar: ScalarType, left: Register, right: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let zero = body.compute(Class::Predicate, &format!("setp.eq.{suffix}"), &[&right, &0]);
    let minus =
        facts::is_signed(scalar).then(|| body.compute(Class::Predicate, &format!("setp.eq.{suffix}"), &[&right, &-1]));
    let special = match minus {
        Some(minus) => body.compute(Class::Predicate, "or.pred", &[&zero, &minus]),
        None => zero,
    };
    let divisor = body.compute(class, &format!("selp.{}", class.bits()), &[&1, &right, &special]);
    if operator == BinaryOperator::Rem {
        return body.compute(class, &format!("rem.{suffix}"), &[&left, &divisor]);
    }
    let mut quotient = body.compute(class, &format!("div.{suffix}"), &[&left, &divisor]);
    if let Some(minus) = minus {
        let negated = body.compute(class, &format!("neg.{suffix}"), &[&left]);
        quotient = select(body, minus, negated, quotient);
    }
    let value = body.compute(class, &format!("selp.{}", class.bits()), &[&0, &quotient, &zero]);
    normalise(body, scalar, value)
}

/// `<< >>`; the amount may have any integer type, and its low bits count.
pub(super) fn shift(
    body: &mut Body,
    operator: BinaryOperator,
    scalar: ScalarType,
    left: Register,
    (amount, amount_type): (Register, ScalarType),
) -> Register {
    let class = Class::of(scalar);
    let word = match Class::of(amount_type) {
        Class::Long => body.compute(Class::Word, "cvt.u32.u64", &[&amount]),
        _ => amount,
    };
    let masked = body.compute(Class::Word, "and.b32", &[&word, &(facts::width(scalar) - 1)]);
    if operator == BinaryOperator::Shr {
        return body.compute(class, &format!("shr.{}", body::arithmetic(scalar)), &[&left, &masked]);
    }
    let value = body.compute(class, &format!("shl.{}", class.bits()), &[&left, &masked]);
    normalise(body, scalar, value)
}

/// Methods.
pub(super) fn call(body: &mut Body, method: Method, scalar: ScalarType, values: &[Register]) -> Register {
    match (method, values) {
        (Method::WrappingAdd, [left, right]) => arithmetic(body, BinaryOperator::Add, scalar, *left, *right),
        (Method::WrappingSub, [left, right]) => arithmetic(body, BinaryOperator::Sub, scalar, *left, *right),
        (Method::WrappingMul, [left, right]) => arithmetic(body, BinaryOperator::Mul, scalar, *left, *right),
        (Method::RemEuclid, [left, right]) => euclidean(body, scalar, *left, *right),
        (Method::AbsDiff, [left, right]) => distance(body, scalar, *left, *right),
        (Method::Pow, [base, exponent]) => power(body, scalar, *base, *exponent),
        (Method::Signum, [value]) => signum(body, scalar, *value),
        (Method::Abs, [value]) => absolute(body, scalar, *value),
        _ => bits::call(body, method, scalar, values),
    }
}

/// `abs`; the smallest value stays.
fn absolute(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let negative = body.compute(Class::Predicate, &format!("setp.lt.{suffix}"), &[&value, &0]);
    let negated = body.compute(value.class, &format!("neg.{suffix}"), &[&value]);
    let magnitude = select(body, negative, negated, value);
    normalise(body, scalar, magnitude)
}

fn euclidean(body: &mut Body, scalar: ScalarType, left: Register, right: Register) -> Register {
    let rest = divide(body, BinaryOperator::Rem, scalar, left, right);
    if !facts::is_signed(scalar) {
        return rest;
    }
    let size = absolute(body, scalar, right);
    let raised = arithmetic(body, BinaryOperator::Add, scalar, rest, size);
    let below = body.compute(Class::Predicate, &format!("setp.lt.{}", body::arithmetic(scalar)), &[&rest, &0]);
    select(body, below, raised, rest)
}

/// `abs_diff`, which is unsigned.
fn distance(body: &mut Body, scalar: ScalarType, left: Register, right: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let below = body.compute(Class::Predicate, &format!("setp.lt.{suffix}"), &[&left, &right]);
    let up = body.compute(class, &format!("sub.{suffix}"), &[&right, &left]);
    let down = body.compute(class, &format!("sub.{suffix}"), &[&left, &right]);
    let value = select(body, below, up, down);
    normalise(body, facts::unsigned(scalar), value)
}

fn signum(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let class = Class::of(scalar);
    let above = body.compute(Class::Predicate, &format!("setp.gt.{suffix}"), &[&value, &0]);
    let below = body.compute(Class::Predicate, &format!("setp.lt.{suffix}"), &[&value, &0]);
    let positive = body.compute(class, &format!("selp.{}", class.bits()), &[&1, &0, &above]);
    body.compute(class, &format!("selp.{}", class.bits()), &[&-1, &positive, &below])
}

/// By repeated squaring, wrapping.
fn power(body: &mut Body, scalar: ScalarType, base: Register, exponent: Register) -> Register {
    let suffix = body::arithmetic(scalar);
    let one = body.constant(scalar, 1);
    let (value, square, left) = (body.copy(one), body.copy(base), body.copy(exponent));
    let (head, end) = (body.label(), body.label());
    body.mark(head);
    let over = body.compute(Class::Predicate, "setp.eq.u32", &[&left, &0]);
    body.jump_if(over, end);
    let low = body.compute(Class::Word, "and.b32", &[&left, &1]);
    let odd = body.compute(Class::Predicate, "setp.ne.u32", &[&low, &0]);
    body.line(format_args!("@{odd} mul.lo.{suffix} {value}, {value}, {square}"));
    body.line(format_args!("mul.lo.{suffix} {square}, {square}, {square}"));
    body.line(format_args!("shr.u32 {left}, {left}, 1"));
    body.jump(head);
    body.mark(end);
    normalise(body, scalar, value)
}
