//! Methods that look at an integer's bits.

use graph_ir::model::{Method, ScalarType};

use super::body::{Body, Class, Register};
use super::integer::normalise;
use crate::scalar::facts;

/// Counts, rotations, reversals.
pub(super) fn call(body: &mut Body, method: Method, scalar: ScalarType, values: &[Register]) -> Register {
    let plain: Option<Register> = values.first().map(|value| unsigned(body, scalar, *value));
    match (method, plain, values) {
        (Method::RotateLeft | Method::RotateRight, Some(value), [_, amount]) => {
            rotate(body, scalar, value, *amount, method == Method::RotateLeft)
        }
        (Method::LeadingZeros, Some(value), _) => {
            let zeros = body.compute(Class::Word, &format!("clz.{}", value.class.bits()), &[&value]);
            let unused = 32_u32.saturating_sub(facts::width(scalar));
            body.compute(Class::Word, "sub.u32", &[&zeros, &unused])
        }
        (Method::TrailingZeros, Some(value), _) => {
            let bits = value.class.bits();
            let reversed = body.compute(value.class, &format!("brev.{bits}"), &[&value]);
            let zeros = body.compute(Class::Word, &format!("clz.{bits}"), &[&reversed]);
            body.compute(Class::Word, "min.u32", &[&zeros, &facts::width(scalar)])
        }
        (Method::IsPowerOfTwo, Some(value), _) => {
            let ones = body.compute(Class::Word, &format!("popc.{}", value.class.bits()), &[&value]);
            body.compute(Class::Predicate, "setp.eq.u32", &[&ones, &1])
        }
        (Method::SwapBytes, Some(value), _) => swap_bytes(body, scalar, value),
        (Method::ReverseBits, Some(value), _) => reverse(body, scalar, value),
        (_, Some(value), _) => body.compute(Class::Word, &format!("popc.{}", value.class.bits()), &[&value]),
        (_, None, _) => body.constant(scalar, 0),
    }
}

/// The low bits with zeros above.
fn unsigned(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    normalise(body, facts::unsigned(scalar), value)
}

fn rotate(body: &mut Body, scalar: ScalarType, value: Register, amount: Register, left: bool) -> Register {
    let bits = value.class.bits();
    let unsigned = if value.class == Class::Long { "u64" } else { "u32" };
    let mask = facts::width(scalar) - 1;
    let amount = body.compute(Class::Word, "and.b32", &[&amount, &mask]);
    let negative = body.compute(Class::Word, "neg.s32", &[&amount]);
    let other = body.compute(Class::Word, "and.b32", &[&negative, &mask]);
    let (up, down) = if left { (amount, other) } else { (other, amount) };
    let high = body.compute(value.class, &format!("shl.{bits}"), &[&value, &up]);
    let low = body.compute(value.class, &format!("shr.{unsigned}"), &[&value, &down]);
    let both = body.compute(value.class, &format!("or.{bits}"), &[&high, &low]);
    normalise(body, scalar, both)
}

fn swap_bytes(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    match facts::width(scalar) {
        8 => normalise(body, scalar, value),
        16 => {
            let swapped = body.compute(Class::Word, "prmt.b32", &[&value, &0, &"0x4401"]);
            normalise(body, scalar, swapped)
        }
        32 => body.compute(Class::Word, "prmt.b32", &[&value, &0, &"0x0123"]),
        _ => {
            let (low, high) = (body.register(Class::Word), body.register(Class::Word));
            body.line(format_args!("mov.b64 {{{low}, {high}}}, {value}"));
            let [low, high] = [low, high].map(|half| body.compute(Class::Word, "prmt.b32", &[&half, &0, &"0x0123"]));
            body.compute(Class::Long, "mov.b64", &[&format_args!("{{{high}, {low}}}")])
        }
    }
}

fn reverse(body: &mut Body, scalar: ScalarType, value: Register) -> Register {
    let reversed = body.compute(value.class, &format!("brev.{}", value.class.bits()), &[&value]);
    let unused = 32_u32.saturating_sub(facts::width(scalar));
    if unused == 0 {
        return reversed;
    }
    let low = body.compute(Class::Word, "shr.u32", &[&reversed, &unused]);
    normalise(body, scalar, low)
}
