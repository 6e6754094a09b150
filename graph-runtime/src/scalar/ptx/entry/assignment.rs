//! `s[0] = …;`

use graph_ir::model::ScalarType;

use super::super::body::Body;
use super::super::expression::emit;
use super::Assigned;
use crate::scalar::facts;
use crate::scalar::typing::Typed;

pub(super) fn text(storage: ScalarType, value: &Typed) -> String {
    let mut body = Body::default();
    let register = emit(&mut body, value);
    let address = body.address("access_0");
    body.store(address, storage, register);
    body.finish()
}

/// One behind the other.
pub(super) fn several(assignments: &[Assigned]) -> String {
    let mut body = Body::default();
    emit_all(&mut body, assignments);
    body.finish()
}

/// What an assignment has stored, those behind it use: from its register if that is sure to be the same.
pub(super) fn emit_all(body: &mut Body, assignments: &[Assigned]) {
    for Assigned { target, storage, value, same, others, mailbox } in assignments {
        let register = emit(body, value);
        let address = body.address(&format!("access_{target}"));
        if *mailbox {
            body.post(address, *storage, register);
        } else {
            body.store(address, *storage, register);
        }
        others.iter().for_each(|access| body.forget_element(*access));
        for access in same {
            match facts::width(*storage) {
                32 | 64 => body.set_element(*access, register),
                _ => body.forget_element(*access),
            }
        }
    }
}
