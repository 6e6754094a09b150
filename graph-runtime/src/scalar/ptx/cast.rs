//! `as`: integers are cut or extended, floats saturate and NaN becomes zero, everything else rounds to nearest.

use graph_ir::model::ScalarType;

use super::body::{Body, Class, Register, arithmetic};
use super::integer::normalise;
use crate::scalar::facts;

/// The value as the other type.
pub(super) fn emit(body: &mut Body, from: ScalarType, to: ScalarType, value: Register) -> Register {
    match (facts::is_float(from), facts::is_float(to)) {
        _ if from == to => value,
        (true, true) => between_floats(body, to, value),
        (true, false) => from_float(body, from, to, value),
        (false, true) => {
            let instruction = format!("cvt.rn.{}.{}", arithmetic(to), arithmetic(from));
            body.compute(Class::of(to), &instruction, &[&value])
        }
        (false, false) => between_integers(body, from, to, value),
    }
}

fn between_floats(body: &mut Body, to: ScalarType, value: Register) -> Register {
    let instruction = if to == ScalarType::F64 { "cvt.f64.f32" } else { "cvt.rn.f32.f64" };
    body.compute(Class::of(to), instruction, &[&value])
}

/// The instruction saturates at 32 or 64 bits; NaN and narrower types are ours.
fn from_float(body: &mut Body, from: ScalarType, to: ScalarType, value: Register) -> Register {
    let class = Class::of(to);
    let suffix = arithmetic(to);
    let mut whole = body.compute(class, &format!("cvt.rzi.{suffix}.{}", arithmetic(from)), &[&value]);
    if facts::width(to) < 32 {
        let (first, last) = facts::range(to);
        whole = body.compute(class, &format!("min.{suffix}"), &[&whole, &last]);
        if facts::is_signed(to) {
            whole = body.compute(class, &format!("max.{suffix}"), &[&whole, &first]);
        }
    }
    let nan = body.compute(Class::Predicate, &format!("testp.notanumber.{}", arithmetic(from)), &[&value]);
    body.compute(class, &format!("selp.{}", class.bits()), &[&0, &whole, &nan])
}

fn between_integers(body: &mut Body, from: ScalarType, to: ScalarType, value: Register) -> Register {
    let value = if from == ScalarType::Bool { body.word_of(value) } else { value };
    match (value.class, Class::of(to)) {
        (Class::Long, Class::Long) => value,
        (Class::Long, _) => {
            let word = body.compute(Class::Word, "cvt.u32.u64", &[&value]);
            normalise(body, to, word)
        }
        (_, Class::Long) => {
            let instruction = if facts::is_signed(from) { "cvt.s64.s32" } else { "cvt.u64.u32" };
            body.compute(Class::Long, instruction, &[&value])
        }
        _ => normalise(body, to, value),
    }
}
