//! `if`: 1 if the test holds, else 0; of a row of two, the second has the complement.

use super::super::body::{Body, Class};
use super::super::expression::emit;
use super::super::parameter::Target;
use super::decision::{decide, set};
use crate::scalar::typing::Typed;

pub(super) fn text(target: Target, test: &Typed) -> String {
    let mut body = Body::default();
    let holds = emit(&mut body, test);
    let value = body.word_of(holds);
    decide(&mut body, target, value);
    if target == Target::Row {
        let other = body.compute(Class::Word, "xor.b32", &[&value, &1]);
        set(&mut body, 1, other);
    }
    body.finish()
}
