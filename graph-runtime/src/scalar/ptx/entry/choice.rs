//! `match`: the index of the first arm that holds the value, or else the number of arms.

use graph_ir::model::{Pattern, ScalarType};

use super::super::body::{Body, Class, Register, arithmetic};
use super::super::expression::emit;
use super::super::parameter::Target;
use super::decision::{decide, set};
use crate::scalar::facts;
use crate::scalar::typing::Typed;

/// The values of one arm: `first..=last`, within the range of the value's type.
pub(in super::super) type Ranges = Vec<(i128, i128)>;

/// What a value of this type can meet of an arm's patterns.
pub(in super::super) fn ranges(patterns: &[Pattern], scalar: ScalarType) -> Ranges {
    let (smallest, largest) = facts::range(scalar);
    let clipped = patterns.iter().map(|pattern| (pattern.first.max(smallest), pattern.last.min(largest)));
    clipped.filter(|(first, last)| first <= last).collect()
}

pub(super) fn text(target: Target, value: &Typed, arms: &[Ranges], handles: u32) -> String {
    let mut body = Body::default();
    let register = emit(&mut body, value);
    let mut index = body.compute(Class::Word, "mov.b32", &[&arms.len()]);
    for (arm, ranges) in arms.iter().enumerate().rev() {
        for range in ranges {
            let holds = within(&mut body, value.scalar, register, *range);
            index = body.compute(Class::Word, "selp.b32", &[&arm, &index, &holds]);
        }
    }
    if target == Target::Row {
        for handle in 0..handles {
            let chosen = body.compute(Class::Predicate, "setp.eq.u32", &[&index, &handle]);
            let flag = body.word_of(chosen);
            set(&mut body, handle, flag);
        }
    } else {
        decide(&mut body, target, index);
    }
    body.finish()
}

fn within(body: &mut Body, scalar: ScalarType, value: Register, (first, last): (i128, i128)) -> Register {
    let suffix = arithmetic(scalar);
    if first == last {
        return body.compute(Class::Predicate, &format!("setp.eq.{suffix}"), &[&value, &first]);
    }
    let above = body.compute(Class::Predicate, &format!("setp.ge.{suffix}"), &[&value, &first]);
    let below = body.compute(Class::Predicate, &format!("setp.le.{suffix}"), &[&value, &last]);
    body.compute(Class::Predicate, "and.pred", &[&above, &below])
}
