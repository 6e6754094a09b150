//! `s[0] = …;`

use graph_ir::model::ScalarType;

use super::super::body::Body;
use super::super::expression::emit;
use crate::scalar::typing::Typed;

pub(super) fn text(storage: ScalarType, value: &Typed) -> String {
    let mut body = Body::default();
    let register = emit(&mut body, value);
    let address = body.address("access_0");
    body.store(address, storage, register);
    body.finish()
}
